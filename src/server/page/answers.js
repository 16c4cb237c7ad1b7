// Questions and their answers: the steps as they happen, then the answer with its citations.

const kSureFrom = 0.5;

let running = null;  // the AbortController of the question that is being answered

function placeOf(citation) {
  const place = new URLSearchParams({ doc: citation.doc, page: citation.page });
  if (citation.boxes.length > 0) place.set('mark', citation.quote);
  return `#${place}`;
}

function citationItem(citation, i) {
  return el('li', {},
    el('a', { href: placeOf(citation) },
      el('span', { class: 'place' }, `[${i + 1}] ${citation.doc}, page ${citation.page}`),
      citation.quote && el('span', { class: 'quote' }, textOf(citation.quote))));
}

function confidenceLine(answer) {
  const percent = Math.round(answer.confidence * 100);
  if (!answer.answerable) return el('p', { class: 'quiet small' }, `Confidence ${percent}% that the documents do not answer this`);
  const sure = answer.confidence >= kSureFrom;
  return el('p', { class: `small ${sure ? 'sure' : 'unsure'}` },
    `Confidence ${percent}%`, sure ? '' : ': more likely wrong than right; check the page before you rely on it');
}

function notesOf(answer) {
  const notes = [];
  if (answer.kept) notes.push('Asked before: this is the answer of then, because the documents are unchanged');
  if (answer.limit) notes.push(`Stopped early: ${answer.limit}`);
  if (answer.fallback) notes.push(answer.fallback);
  if (answer.unread_pages) notes.push(`${counted(answer.unread_pages, 'page still waits', 'pages still wait')} for OCR`);
  for (const picture of answer.images || []) {
    for (const note of picture.notes || []) notes.push(`${picture.name}: ${note}`);
    if (picture.found.length === 0 && picture.compared_pages > 0) {
      notes.push(`${picture.name}: none of the ${counted(picture.compared_pages, 'page', 'pages')} compared shows it`);
    }
  }
  return notes.map((note) => el('p', { class: 'quiet small' }, note));
}

// Where the pictures of the question were found.
function shownLines(answer) {
  return (answer.images || []).flatMap((picture) => picture.found.map((shown) =>
    el('li', {}, el('a', { href: `#${new URLSearchParams({ doc: shown.doc, page: shown.page })}` },
      textOf(`${picture.name} is shown on ${shown.doc}, page ${shown.page}`)))));
}

function describeStep(step) {
  if (step.line) return step.line;
  const parts = Object.entries(step).filter(([name]) => !['step', 'ms', 'line'].includes(name));
  const said = parts.map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`);
  return [step.step, said.join(', ')].filter(Boolean).join(': ').slice(0, 600);
}

// The card of one question, from when it is asked.
class Shown {
  constructor(question, images = []) {
    this.asked = question;
    this.lines = [];
    this.understood = el('p', { class: 'quiet small understood', hidden: true });
    this.steps = el('ol', {});
    this.about = el('summary', {}, 'Steps');
    this.writing = el('div', { class: 'writing text', dir: 'auto', hidden: true });
    this.state = el('p', { class: 'said busy', role: 'status' }, 'Searching …');
    this.details = el('details', { class: 'steps', open: true }, this.about, this.steps);
    this.result = el('div', {});
    this.article = el('article', { class: 'answer card' },
      el('h3', {}, textOf(question)), el('div', { class: 'sent' }, images.map(pictureOf)), this.understood, this.state, this.writing, this.result, this.details);
    byId('answers').prepend(this.article);
  }

  take(name, data) {
    if (name === 'step') this.addStep(data);
    if (name === 'began') this.begin(data);
    if (name === 'text') this.write(data.text);
    if (name === 'answer') {
      this.finish(data);
      keepTurn({ asked: this.asked, answer: data, steps: this.lines });
    }
    if (name === 'error') this.fail(data.error.message);
  }

  addStep(step) {
    this.addLine(describeStep(step), step.ms);
  }

  addLine(line, time) {
    this.lines.push([line, time]);
    const ms = time > 0 && el('span', { class: 'ms' }, `${Math.round(time)} ms`);
    this.steps.append(el('li', {}, textOf(line), ms));
    this.about.textContent = `Steps (${this.steps.children.length})`;
  }

  begin(call) {
    this.state.textContent = call.agent ? `${call.agent} is working …` : 'Working …';
    this.writing.textContent = '';
  }

  write(piece) {
    this.writing.hidden = false;
    this.writing.append(piece);
    this.writing.scrollTop = this.writing.scrollHeight;
  }

  end() {
    this.state.classList.remove('busy');
    this.writing.hidden = true;
    this.details.open = false;
    this.details.hidden = this.steps.children.length === 0;
  }

  finish(answer) {
    this.end();
    this.isOver = true;
    this.understood.hidden = answer.question === this.asked;
    this.understood.replaceChildren('Understood: ', textOf(answer.question));
    this.state.replaceChildren(textOf(answer.answer, answer.answerable ? '' : 'declined'));
    this.result.append(confidenceLine(answer));
    if (!answer.answerable && answer.citations.length > 0) {
      this.result.append(el('p', { class: 'quiet small' }, 'Related pages that do not answer it:'));
    }
    this.result.append(el('ol', { class: 'citations', 'aria-label': 'Citations' }, answer.citations.map(citationItem)));
    const shown = shownLines(answer);
    if (shown.length > 0) this.result.append(el('ul', { class: 'shown', 'aria-label': 'Where the pictures are from' }, shown));
    this.result.append(...notesOf(answer));
  }

  fail(message) {
    this.end();
    this.isOver = true;
    this.state.replaceChildren(textOf(message, 'error'));
  }
}

function setRunning(controller) {
  running = controller;
  byId('stop').hidden = controller === null;
  byId('send').disabled = controller !== null;
  byId('forget').disabled = controller !== null;
}

async function ask(question, images) {
  const shown = new Shown(question, images);
  setRunning(new AbortController());
  try {
    const body = { question, pipeline: byId('pipeline').value, docs: tickedDocuments(), earlier: earlierTurns(), stream: true };
    if (images.length > 0) body.images = images.map(({ name, data }) => ({ name, data }));
    const reply = await postJson('v1/ask', body, running.signal);
    await eachEvent(reply, (name, data) => shown.take(name, data));
    if (!shown.isOver) shown.fail('The server stopped before it answered.');
  } catch (error) {
    shown.fail(error.name === 'AbortError' ? 'Stopped.' : error.message);
  } finally {
    setRunning(null);
  }
}

async function loadPipelines() {
  const told = await getJson('v1/pipelines');
  const select = byId('pipeline');
  const about = () => {
    const one = told.pipelines.find((way) => way.name === select.value);
    byId('pipeline-about').textContent = one ? one.summary : '';
  };
  select.replaceChildren(...told.pipelines.map((way) =>
    el('option', { value: way.name, disabled: !way.usable }, way.usable ? way.name : `${way.name} (needs --generator)`)));
  select.value = told.default;
  select.addEventListener('change', about);
  about();
}

function startAsking() {
  const question = byId('question');
  byId('ask').addEventListener('submit', (event) => {
    event.preventDefault();
    const words = question.value.trim();
    if (!words || running) return;
    question.value = '';  // the card shows it, and the next one may be a follow-up
    ask(words, takePictures());
  });
  question.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    byId('ask').requestSubmit();
  });
  byId('stop').addEventListener('click', () => running && running.abort());
}
