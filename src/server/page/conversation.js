// The conversation of this tab: it survives a reload, and can be saved as a page of its own.

const kConversationName = 'fineprint-conversation';
const kMostSent = 20;  // turns that the server reads

let turns = [];  // { asked, answer, steps } of answered questions, oldest first

// What the server needs to understand a follow-up. Answers that are more likely wrong are left out, so that none is
// about what they name.
function earlierTurns() {
  return turns.slice(-kMostSent).map(({ answer }) =>
    ({ question: answer.question, answer: answer.answerable && answer.confidence >= kSureFrom ? answer.answer : '' }));
}

function tellConversation(note) {
  byId('conversation').hidden = turns.length === 0;
  byId('conversation-note').textContent = note || '';
}

// The browser limits what a tab may keep: then the oldest turns are not kept.
function storeTurns() {
  for (let first = 0; first <= turns.length; first += 1) {
    try {
      sessionStorage.setItem(kConversationName, JSON.stringify(turns.slice(first)));
      return first;
    } catch {
      continue;
    }
  }
  return turns.length;
}

function keepTurn(turn) {
  turns.push(turn);
  const lost = storeTurns();
  tellConversation(lost > 0 && `A reload keeps the last ${counted(turns.length - lost, 'answer', 'answers')} only.`);
}

function showKeptTurns() {
  try {
    turns = JSON.parse(sessionStorage.getItem(kConversationName)) || [];
  } catch {
    turns = [];
  }
  for (const { asked, answer, steps } of turns) {
    const shown = new Shown(asked);
    for (const [line, ms] of steps) shown.addLine(line, ms);
    shown.finish(answer);
  }
  tellConversation();
}

function forgetTurns() {
  turns = [];
  sessionStorage.removeItem(kConversationName);
  byId('answers').replaceChildren();
  tellConversation();
  byId('question').focus();
}

function asDataAddress(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

// The page of a citation with the quote marked; a note if it cannot be drawn.
async function savedPicture(citation) {
  const query = new URLSearchParams({ doc: citation.doc, page: citation.page });
  if (citation.boxes.length > 0) query.append('mark', citation.quote);
  const name = `Page ${citation.page} of ${citation.doc}`;
  try {
    const blob = await (await call(`v1/page/picture?${query}`)).blob();
    return el('img', { src: await asDataAddress(blob), alt: name });
  } catch (error) {
    return el('p', {}, `${name}: ${error.message}`);
  }
}

async function savedTurn({ asked, answer }) {
  const [first] = answer.citations;
  return el('article', {},
    el('h2', {}, textOf(asked)),
    answer.question !== asked && el('p', {}, `Understood: ${answer.question}`),
    el('p', { class: 'said' }, textOf(answer.answer)),
    confidenceLine(answer),
    el('ol', {}, answer.citations.map((one) =>
      el('li', {}, `${one.doc}, page ${one.page}`, one.quote && el('blockquote', {}, textOf(one.quote))))),
    first && await savedPicture(first));
}

const kSavedStyle = ':root { color-scheme: light dark } body { max-width: 50rem; margin: 2rem auto; padding: 0 1rem;'
  + ' font: 1rem/1.5 system-ui, sans-serif } article { border-top: 1px solid; padding: 1rem 0 } h2 { font-size: 1.1rem }'
  + ' .said { font-size: 1.2rem } .text { white-space: pre-wrap } blockquote { margin: .2rem 0 } img { max-width: 100%; border: 1px solid }';

async function savedPage() {
  const page = document.implementation.createHTMLDocument('Conversation with fineprint');
  const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
  page.head.prepend(el('meta', { charset: 'utf-8' }),
    el('meta', { 'http-equiv': 'Content-Security-Policy', content: policy }));
  page.head.append(el('style', {}, kSavedStyle));
  page.body.append(el('h1', {}, 'Conversation'));
  for (const turn of turns) page.body.append(await savedTurn(turn));
  return `<!DOCTYPE html>\n${page.documentElement.outerHTML}`;
}

async function saveConversation() {
  byId('save').disabled = true;
  tellConversation('Saving …');
  const address = URL.createObjectURL(new Blob([await savedPage()], { type: 'text/html' }));
  el('a', { href: address, download: 'conversation.html' }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
  byId('save').disabled = false;
  tellConversation('Saved.');
}

function startConversation() {
  byId('save').addEventListener('click', saveConversation);
  byId('forget').addEventListener('click', forgetTurns);
  showKeptTurns();
}
