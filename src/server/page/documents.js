// The documents: which ones are asked, and adding new ones.

const kMostShown = 500;

let documents = [];
const ticked = new Set();

function tickedDocuments() {
  return [...ticked];
}

function tellScope() {
  const some = ticked.size > 0;
  byId('scope').textContent = some ? `of ${counted(ticked.size, 'document', 'documents')}` : 'of all documents';
  byId('untick').disabled = !some;
}

function documentItem(document) {
  const box = el('input', {
    type: 'checkbox',
    onchange: (event) => {
      if (event.target.checked) ticked.add(document.doc);
      else ticked.delete(document.doc);
      tellScope();
    },
  });
  box.checked = ticked.has(document.doc);
  const open = el('a', { href: `#${new URLSearchParams({ doc: document.doc, page: 1 })}`, 'aria-label': `Open ${document.doc}` }, 'open');
  return el('li', {},
    el('label', {}, box, el('span', { class: 'name', dir: 'auto' }, document.doc),
      el('span', { class: 'pages' }, counted(document.pages, 'page', 'pages')), open));
}

function showDocuments() {
  const wanted = byId('document-filter').value.trim().toLowerCase();
  const found = documents.filter((one) => one.doc.toLowerCase().includes(wanted));
  byId('document-list').replaceChildren(...found.slice(0, kMostShown).map(documentItem));
  const left = found.length - kMostShown;
  byId('document-rest').textContent = left > 0 ? `${counted(left, 'more', 'more')}; filter to see them` : '';
  tellScope();
}

async function loadDocuments() {
  const listed = await getJson('v1/documents');
  documents = listed.documents;
  const known = new Set(documents.map((one) => one.doc));
  for (const doc of ticked) if (!known.has(doc)) ticked.delete(doc);
  byId('document-count').textContent = `(${documents.length})`;
  byId('state').textContent = `${counted(documents.length, 'document', 'documents')}, ${counted(listed.pages, 'page', 'pages')}`;
  showDocuments();
}

async function upload(file) {
  const item = el('li', { class: 'busy' }, textOf(`${file.name}: reading`));
  byId('uploads').append(item);
  try {
    const path = `v1/documents?${new URLSearchParams({ name: file.name })}`;
    const headers = { 'Content-Type': 'application/octet-stream' };
    const added = await (await call(path, { method: 'POST', headers, body: file })).json();
    const problems = added.problems.length > 0 ? `; ${added.problems.join('; ')}` : '';
    item.replaceChildren(textOf(`${added.doc}: ${counted(added.pages, 'page', 'pages')} added${problems}`, 'done'));
  } catch (error) {
    item.replaceChildren(textOf(`${file.name}: ${error.message}`, 'error'));
  }
  item.classList.remove('busy');
}

// One after the other, because only one process can write to the store.
async function uploadAll(files) {
  byId('documents').open = true;
  for (const file of files) await upload(file);
  await loadDocuments();
}

function hasFiles(event) {
  return event.dataTransfer && [...event.dataTransfer.types].includes('Files');
}

function startDropping() {
  const drop = byId('drop');
  let depth = 0;
  addEventListener('dragenter', (event) => {
    if (!hasFiles(event)) return;
    depth += 1;
    drop.hidden = false;
  });
  addEventListener('dragleave', (event) => {
    if (!hasFiles(event)) return;
    depth -= 1;
    drop.hidden = depth > 0 ? drop.hidden : true;
  });
  addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault());
  addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth = 0;
    drop.hidden = true;
    uploadAll([...event.dataTransfer.files]);
  });
}

function startDocuments() {
  byId('document-filter').addEventListener('input', showDocuments);
  byId('untick').addEventListener('click', () => {
    ticked.clear();
    showDocuments();
  });
  byId('pick').addEventListener('click', () => byId('files').click());
  byId('files').addEventListener('change', (event) => {
    uploadAll([...event.target.files]);
    event.target.value = '';
  });
  startDropping();
}
