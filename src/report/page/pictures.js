// Shows pages as pictures, with the quotes of the answer marked.

function pageName(report, page) {
  return `${report.docs[page.doc]}, page ${page.page}`;
}

function pictureAddress(report, page) {
  return report.folder ? `${encodeURIComponent(report.folder)}/${encodeURIComponent(page.source)}` : page.source;
}

// Boxes are in points of the page, and so is the view box over the picture.
function marksOf(citations) {
  const air = 0.5;
  return citations.flatMap(({ citation, place }) => citation.boxes.map(([x0, y0, x1, y1]) =>
    svg('rect', { class: 'mark', 'data-citation': place, x: x0 - air, y: y0 - air, width: x1 - x0 + 2 * air, height: y1 - y0 + 2 * air },
      svg('title', {}, citation.quote))));
}

// The numbers of several citations, in the margin next to their first lines. Numbers of the same
// line are next to each other.
function numbersOf(citations) {
  const beside = citations.length > 1 ? citations.filter(({ citation }) => citation.boxes.length > 0) : [];
  const heights = beside.map(({ citation: { boxes: [[, y0, , y1]] } }) => (y0 + y1) / 2 + 3);
  return beside.map(({ place }, i) => {
    const before = heights.slice(0, i).filter((y) => Math.abs(y - heights[i]) < 8).length;
    return svg('text', { class: 'mark-number', x: 4 + 16 * before, y: heights[i] }, `[${place + 1}]`);
  });
}

function paperOf(report, page, citations) {
  const quotes = citations.map(({ citation }) => citation.quote).filter(Boolean).join('; ');
  const picture = el('img', { src: pictureAddress(report, page), loading: report.folder ? 'lazy' : null,
    width: Math.round(page.width * 2), height: Math.round(page.height * 2),
    alt: `${pageName(report, page)}${quotes ? `, marked: ${quotes}` : ''}` });
  const paper = el('button', { type: 'button', class: 'paper', title: 'Click to enlarge or shrink' }, picture,
    svg('svg', { viewBox: `0 0 ${page.width} ${page.height}`, preserveAspectRatio: 'none', 'aria-hidden': true }, marksOf(citations), numbersOf(citations)));
  paper.addEventListener('click', () => {
    paper.closest('.sheet').classList.toggle('wide', paper.classList.toggle('large'));
  });
  return paper;
}

function sheetOf(report, place, citations, isEvidence) {
  const page = report.pages[place];
  const cited = citations.map(({ place: at }) => `[${at + 1}]`).join(' ');
  const caption = el('figcaption', {}, el('strong', { class: 'doc' }, report.docs[page.doc]), el('span', {}, `page ${page.page}`),
    cited && el('span', { class: 'quiet' }, `cited as ${cited}`),
    isEvidence && el('span', { class: 'chip right' }, 'gold evidence'));
  const shown = page.source ? paperOf(report, page, citations)
    : el('p', { class: 'lost' }, 'This page cannot be shown: ', textOf(page.problem || 'no picture was made'));
  return el('figure', { class: 'sheet', 'data-page': place }, caption, shown);
}

// The pages that the answer cites, in their order, then the gold pages that it does not cite.
function sheetsOf(report, question) {
  if (!report.pictures) return [];
  const citations = (question.citations || []).map((citation, place) => ({ citation, place }));
  const evidence = question.evidence || [];
  const places = [...new Set([...citations.map((one) => one.citation.page), ...evidence])];
  return places.map((place) => sheetOf(report, place,
    citations.filter((one) => one.citation.page === place), evidence.includes(place)));
}

// Highlights the marks of one citation and scrolls to its page.
function pointAt(body, place, page) {
  body.querySelectorAll('.mark').forEach((mark) => mark.classList.toggle('pointed', mark.dataset.citation === String(place)));
  const sheet = body.querySelector(`.sheet[data-page="${page}"]`);
  if (sheet) sheet.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
}
