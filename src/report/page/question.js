// One question: its line in the list, and its details, which are made when they are first opened.

function chipOf(question) {
  const verdict = question.verdict === 'unjudged' ? (question.declined ? 'declined' : 'answered') : question.verdict;
  const declined = question.declined && question.verdict !== 'unjudged' ? ', declined' : '';
  return el('span', { class: `chip ${question.verdict}` }, verdict + declined);
}

function shortAnswer(question) {
  if (question.error) return `${question.error.code}: ${question.error.message}`;
  return question.answer === undefined ? 'no answer' : question.answer;
}

function factsOf(report, question) {
  const facts = [];
  const add = (name, ...what) => facts.push(el('dt', {}, name), el('dd', {}, what));
  if (question.error) add('Error', el('span', { class: 'error' }, question.error.code, ': '), textOf(question.error.message));
  else if (question.answer !== undefined) add('Answer', textOf(question.answer, 'said'));
  else add('Answer', el('span', { class: 'error' }, 'this question has no answer'));
  if (question.gold !== undefined) add('Gold', textOf(question.gold, 'said'));
  const value = question.value !== undefined && question.value !== 0 && question.value !== 1 ? `, ${number(question.value, 3)}` : '';
  if (question.verdict !== 'unjudged') add('Verdict', chipOf(question), value);
  if (question.confidence !== undefined) add('Confidence', number(question.confidence));
  if (question.answerability !== undefined) add('Answerable', `${number(question.answerability)} probability that the documents contain an answer`);
  report.facets.forEach((facet, i) => {
    const values = question.facets[i].map((place) => facet.values[place]);
    if (values.join() !== '(none)') add(facet.label, textOf(values.join(', ')));
  });
  if (question.quirks) add('Quirks', textOf(question.quirks.join(', ')));
  if (question.scorer_error) add('Scorer', textOf(`the published code fails here: ${question.scorer_error}`));
  if (question.usage) add('Cost', costText(question.usage));
  if (question.limit) add('Stopped early', textOf(question.limit));
  if (question.fallback) add('Pages found by', textOf(question.fallback));
  for (const image of question.images || []) {
    add('Picture', textOf([image.name, ...image.notes].join('; ')), image.text && textOf(` Its text: ${image.text}`));
  }
  if (question.unread) add('Not read', `${plural(question.unread, 'page waits', 'pages wait')} for OCR`);
  add('Id', textOf(question.id));
  return el('dl', { class: 'facts' }, facts);
}

function costText(usage) {
  const parts = [`${number(usage.seconds)} s`];
  if (usage.calls) {
    parts.push(plural(usage.calls, 'call', 'calls'),
      `${number(usage.read, 0)} tokens read (${number(usage.images, 0)} of images, ${number(usage.cached, 0)} cached)`,
      `${number(usage.written, 0)} written`);
  }
  if (usage.malformed) parts.push(plural(usage.malformed, 'malformed reply', 'malformed replies'));
  return parts.join(', ');
}

function citationItem(report, citation, place, body) {
  const page = report.pages[citation.page];
  const name = el('button', { type: 'button', class: 'link', onclick: () => pointAt(body, place, citation.page) }, textOf(pageName(report, page)));
  const found = citation.quote && citation.boxes.length === 0 ? ' (not found on the page)' : '';
  return el('li', {}, name, citation.quote && el('div', {}, el('q', { class: 'text', dir: 'auto' }, citation.quote), found));
}

function retrievedTable(report, retrieved) {
  const most = Math.max(...retrieved.map(([, , score]) => score), 1e-9);
  // Records of other programs do not say which pages were read, and often all were.
  const says = retrieved.some(([, , , shown]) => shown) && !retrieved.every(([, , , shown]) => shown);
  const heads = [['', 'page'], ['', 'share of the best score'], ['number', 'score'], ...(says ? [['', 'read']] : [])];
  return el('table', {}, el('thead', {}, el('tr', {}, heads.map(([kind, text]) => el('th', { scope: 'col', class: kind }, text)))),
    el('tbody', {}, retrieved.map(([doc, page, score, shown]) => el('tr', {},
      el('td', { class: 'name' }, textOf(`${report.docs[doc]}, page ${page}`)),
      el('td', {}, shareBar(score / most)), el('td', { class: 'number' }, number(score, 3)),
      says && el('td', {}, shown ? 'yes' : 'no')))));
}

function scoredOf(scored) {
  const members = Object.entries(scored).filter(([, value]) => value !== null && value !== '');
  return el('dl', { class: 'facts' }, members.map(([name, value]) => [el('dt', {}, textOf(name)), el('dd', {}, textOf(valueText(value)))]));
}

function bodyOf(report, question) {
  const sheets = sheetsOf(report, question);
  const body = el('div', { class: sheets.length ? 'body' : 'body bare' });
  const told = el('div', {}, factsOf(report, question));
  const section = (title, ...what) => told.append(el('h3', {}, title), ...what);
  if (question.citations && question.citations.length) {
    section('Citations', el('ol', { class: 'quotes' }, question.citations.map((one, place) => citationItem(report, one, place, body))));
  }
  if (question.retrieved && question.retrieved.length) section('Pages found', retrievedTable(report, question.retrieved));
  const trace = (question.trace || []).filter((step) => step !== null && typeof step === 'object');
  const mixtures = trace.filter((step) => step.step === 'adaptive_k');
  if (mixtures.length) section('How many pages', ...mixtures.map((step) => mixtureOf(step, question.retrieved || [])));
  if (question.scored && Object.keys(question.scored).length > 1) section('Scored', scoredOf(question.scored));
  if (trace.length) told.append(stepsOf(trace));
  body.append(told);
  if (sheets.length) body.append(el('div', {}, sheets));
  return body;
}

function questionItem(report, question) {
  const sure = question.confidence === undefined ? null : [el('span', { class: 'wide' }, 'confidence '), number(question.confidence)];
  const item = el('details', { class: 'question', 'data-id': question.id },
    el('summary', {}, chipOf(question),
      el('span', { class: 'asked' }, textOf(question.question || question.id), textOf(shortAnswer(question), 'answer')),
      el('span', { class: 'sure', title: 'confidence' }, sure)));
  item.addEventListener('toggle', () => {
    if (item.open && !item.querySelector('.body')) item.append(bodyOf(report, question));
  });
  return item;
}
