// The proof of one cell: its quote, and its page with the quote marked.

function paper(data, cell) {
  const picture = data.pictures[cell.picture];
  if (!picture.source) return el('p', { class: 'lost' }, `This page cannot be shown: ${picture.problem || 'no picture was made'}`);
  const address = data.folder ? `${encodeURIComponent(data.folder)}/${encodeURIComponent(picture.source)}` : picture.source;
  const marks = (cell.boxes || []).map(([x0, y0, x1, y1]) =>
    svg('rect', { class: 'mark', x: x0 - 0.5, y: y0 - 0.5, width: x1 - x0 + 1, height: y1 - y0 + 1 }));
  return el('div', { class: 'paper' },
    el('img', { src: address, alt: `Page ${cell.page}, marked: ${cell.quote}`, width: Math.round(picture.width * 2), height: Math.round(picture.height * 2) }),
    svg('svg', { viewBox: `0 0 ${picture.width} ${picture.height}`, preserveAspectRatio: 'none', 'aria-hidden': true }, marks));
}

function closeProof() {
  byId('proof').hidden = true;
  const button = document.querySelector('.cell[aria-expanded="true"]');
  if (!button) return;
  button.setAttribute('aria-expanded', 'false');
  button.focus();
}

function showProof(data, row, column, cell, button) {
  document.querySelectorAll('.cell[aria-expanded="true"]').forEach((one) => one.setAttribute('aria-expanded', 'false'));
  button.setAttribute('aria-expanded', 'true');
  const facts = [['Value', `${cell.value} ${cell.unit || column.unit}`.trim()], ['Printed', cell.printed], ['Quote', cell.quote],
    ['Page', cell.page], ['Confidence', percent(cell.confidence)], ['Document', row.doc], ['Question', column.question]];
  const close = el('button', { type: 'button', onclick: closeProof }, 'Close');
  const panel = byId('proof');
  panel.replaceChildren(el('div', { class: 'top' }, el('h2', {}, column.name), close),
    el('dl', {}, facts.filter(([, value]) => value !== undefined && value !== '').map(([name, value]) => [el('dt', {}, name), el('dd', { dir: 'auto' }, String(value))])),
    cell.picture === undefined ? null : paper(data, cell));
  panel.hidden = false;
  panel.scrollTop = 0;
  const mark = panel.querySelector('.mark');
  if (mark) mark.scrollIntoView({ block: 'nearest' });
}
