// Shows one page with the quoted text marked. The address names it: "#doc=a.pdf&page=2&mark=...".

const kDpiOf = { fit: 110, 100: 110, 150: 165, 200: 220 };

let shownPage = null;  // { doc, page, marks, pages }
let pictureAddress = '';

function wantedPage() {
  const place = new URLSearchParams(location.hash.slice(1));
  if (!place.has('doc')) return null;
  return { doc: place.get('doc'), page: Number(place.get('page')) || 1, marks: place.getAll('mark') };
}

function queryOf(page, more) {
  const query = new URLSearchParams({ doc: page.doc, page: page.page, ...more });
  for (const mark of page.marks) query.append('mark', mark);
  return query;
}

function note(message) {
  byId('viewer-note').textContent = message;
  byId('viewer-note').hidden = !message;
}

function openViewer(open) {
  byId('viewer').hidden = !open;
  document.querySelector('.room').classList.toggle('open', open);
}

function tellCurrent() {
  for (const link of document.querySelectorAll('.citations a')) {
    if (link.getAttribute('href') === location.hash) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

async function showPicture(page) {
  const picture = byId('viewer-picture');
  const zoom = byId('zoom').value;
  const bytes = await (await call(`v1/page/picture?${queryOf(page, { dpi: kDpiOf[zoom] })}`)).blob();
  if (page !== shownPage) return;
  URL.revokeObjectURL(pictureAddress);
  pictureAddress = URL.createObjectURL(bytes);
  picture.src = pictureAddress;
  picture.className = zoom === 'fit' ? 'fit' : '';
  const marked = page.marks.length > 0 ? `, with “${page.marks.join('”, “')}” marked` : '';
  picture.alt = `Page ${page.page} of ${page.doc}${marked}`;
  picture.hidden = false;
  await picture.decode();
  scrollToMark(page);
}

// Scrolls so that the first mark is visible.
function scrollToMark(page) {
  const frame = byId('viewer-frame'), picture = byId('viewer-picture');
  const box = page.boxes && page.boxes[0];
  const scale = page.height ? picture.clientHeight / page.height : 0;
  frame.scrollTop = box ? Math.max(0, box[1] * scale - frame.clientHeight / 3) : 0;
}

async function showPage(page) {
  shownPage = page;
  openViewer(true);
  if (matchMedia('(max-width: 60rem)').matches) byId('viewer').scrollIntoView();
  note('');
  byId('viewer-title').textContent = page.doc;
  byId('viewer-place').textContent = `page ${page.page}`;
  try {
    const shown = await getJson(`v1/page?${queryOf(page)}`);
    if (page !== shownPage) return;
    page.pages = shown.pages;
    page.height = shown.height;
    page.boxes = shown.marks.flatMap((mark) => mark.boxes);
    byId('viewer-place').textContent = `page ${page.page} of ${shown.pages}`;
    byId('previous').disabled = page.page <= 1;
    byId('next').disabled = page.page >= shown.pages;
    byId('viewer-text').textContent = shown.text || 'This page has no words.';
    await showPicture(page);
    if (shown.problem) note(shown.problem);
  } catch (error) {
    if (page !== shownPage) return;
    byId('viewer-picture').hidden = true;
    note(error.message);
  }
}

function turnTo(number) {
  if (!shownPage) return;
  location.hash = new URLSearchParams({ doc: shownPage.doc, page: number });
}

function showWanted() {
  tellCurrent();
  const page = wantedPage();
  if (page) showPage(page);
  else closeViewer();
}

function closeViewer() {
  shownPage = null;
  openViewer(false);
}

function startViewer() {
  addEventListener('hashchange', showWanted);
  byId('previous').addEventListener('click', () => turnTo(shownPage.page - 1));
  byId('next').addEventListener('click', () => turnTo(shownPage.page + 1));
  byId('zoom').addEventListener('change', () => shownPage && showPage(shownPage));
  const close = () => {
    history.pushState(null, '', location.pathname);
    closeViewer();
    tellCurrent();
    byId('question').focus();
  };
  byId('viewer-close').addEventListener('click', close);
  byId('viewer').addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    // In these, the arrow keys already choose a size or scroll a picture.
    const hasUse = event.target.tagName === 'SELECT' || (event.target.id === 'viewer-frame' && byId('zoom').value !== 'fit');
    if (hasUse) return;
    if (event.key === 'ArrowLeft' && !byId('previous').disabled) turnTo(shownPage.page - 1);
    if (event.key === 'ArrowRight' && !byId('next').disabled) turnTo(shownPage.page + 1);
  });
}
