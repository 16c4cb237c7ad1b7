// Chooses which questions are shown. The choice is kept in the address, so that it can be shared:
// #verdict=wrong&source=Chart&q=ferry&open=ID

const kVerdictChoices = [['', 'all'], ['right', 'right'], ['partly', 'partly right'], ['wrong', 'wrong'],
  ['declined', 'declined'], ['error', 'errors and missing'], ['unjudged', 'not judged']];
const kOrders = [['', 'as asked'], ['surest', 'surest first'], ['unsurest', 'least sure first'], ['slowest', 'slowest first']];

// Returns null if the address names a part of the page.
function readAddress() {
  const address = location.hash.slice(1);
  if (address && !address.includes('=')) return null;
  return Object.fromEntries(new URLSearchParams(address));
}

function writeAddress(choice) {
  const kept = Object.entries(choice).filter(([, value]) => value !== '' && value !== undefined);
  const address = new URLSearchParams(kept).toString();
  history.replaceState(null, '', address ? `#${address}` : location.pathname + location.search);
}

function hasVerdict(question, verdict) {
  if (!verdict) return true;
  if (verdict === 'declined') return question.declined === true;
  if (verdict === 'error') return question.verdict === 'error' || question.verdict === 'missing';
  return question.verdict === verdict;
}

function searched(report, question) {
  const pages = (question.citations || []).flatMap((one) => [one.quote, report.docs[report.pages[one.page].doc]]);
  return [question.id, question.question, question.answer, question.gold, ...pages]
    .filter(Boolean).join('\n').toLowerCase();
}

// Returns a function that says whether a question matches the choice.
function matcher(report, choice) {
  const words = (choice.q || '').toLowerCase().split(/\s+/).filter(Boolean);
  const facets = report.facets.map((facet, i) => ({ i, place: facet.values.indexOf(choice[facet.name]), wanted: choice[facet.name] }))
    .filter((facet) => facet.wanted);
  return (question) => {
    if (!hasVerdict(question, choice.verdict)) return false;
    if (!facets.every((facet) => question.facets[facet.i].includes(facet.place))) return false;
    if (words.length === 0) return true;
    question.searched = question.searched || searched(report, question);
    return words.every((word) => question.searched.includes(word));
  };
}

function ordered(questions, order) {
  const seconds = (question) => (question.usage ? question.usage.seconds : 0);
  const sure = (question) => (question.confidence === undefined ? -1 : question.confidence);
  const all = [...questions.keys()];
  const by = { surest: (i) => -sure(questions[i]), unsurest: (i) => sure(questions[i]), slowest: (i) => -seconds(questions[i]) }[order];
  return by ? all.sort((a, b) => by(a) - by(b) || a - b) : all;
}

function choiceField(label, name, choices) {
  return el('label', {}, label,
    el('select', { name }, choices.map(([value, text]) => el('option', { value }, text))));
}

// Fills the form. `changed` is called with each new choice.
function showFilters(report, changed) {
  const form = byId('filters');
  if (report.questions.length < 2) {
    form.hidden = true;
    return { choose() {}, count() {} };
  }
  const present = kVerdictChoices.filter(([value]) => report.questions.some((question) => hasVerdict(question, value)));
  const facets = report.facets.filter((facet) => facet.values.length > 1);
  give(form, {}, [
    el('label', {}, 'Search', el('input', { type: 'search', name: 'q', placeholder: 'words in question, answer or quote' })),
    choiceField('Verdict', 'verdict', present),
    facets.map((facet) => choiceField(facet.label, facet.name, [['', 'all'], ...facet.values.map((value) => [value, value])])),
    choiceField('Order', 'order', kOrders),
    el('button', { type: 'reset' }, 'Reset'),
    el('output', { id: 'count', 'aria-live': 'polite' })]);
  const fields = [...form.elements].filter((field) => field.name);
  const fromForm = () => Object.fromEntries(fields.map((field) => [field.name, field.value]));
  const toForm = (choice) => fields.forEach((field) => { field.value = choice[field.name] || ''; });
  const tell = () => changed(fromForm());
  form.addEventListener('input', tell);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', (event) => { event.preventDefault(); toForm({}); tell(); });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, select')) return;
    event.preventDefault();
    form.elements.q.focus();
  });
  return {
    choose(choice) { toForm(choice); tell(); },
    count(shown) { byId('count').textContent = `${number(shown, 0)} of ${plural(report.questions.length, 'question', 'questions')}`; },
  };
}
