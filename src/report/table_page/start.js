// Unpacks the table and builds the page. Runs after all other scripts.

function amount(value) {
  const decimals = (String(value).split('.')[1] || '').length;
  return Number(value).toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

function cellNode(data, row, column, cell) {
  const kind = column.number ? 'number' : null;
  if (cell === null) return el('td', { class: kind });
  if (cell.problem !== undefined) return el('td', { class: 'failed', title: cell.problem }, 'failed');
  const unit = cell.unit && !column.unit ? ` ${cell.unit}` : '';
  const shown = column.number ? amount(cell.value) + unit : cell.value;
  const button = el('button', { type: 'button', class: 'cell', 'aria-expanded': 'false', dir: 'auto' }, shown);
  button.addEventListener('click', () => {
    if (button.getAttribute('aria-expanded') === 'true') closeProof();
    else showProof(data, row, column, cell, button);
  });
  return el('td', { class: kind }, button);
}

// The totals of a column of numbers, one for each unit.
function totals(rows, at) {
  const sums = new Map();
  for (const row of rows) {
    const cell = row.cells[at];
    if (!hasValue(cell)) continue;
    const decimals = (cell.value.split('.')[1] || '').length;
    const sum = sums.get(cell.unit) || { value: 0, decimals: 0 };
    sums.set(cell.unit, { value: sum.value + Number(cell.value), decimals: Math.max(sum.decimals, decimals) });
  }
  return [...sums].map(([unit, sum]) => `${amount(sum.value.toFixed(sum.decimals))} ${unit}`.trim());
}

// The arrow keys move between the cells of the table.
function moveByKeys(event) {
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const step = steps[event.key];
  const from = event.target.closest('td');
  if (!step || !from) return;
  event.preventDefault();
  let row = from.parentElement;
  let at = [...row.children].indexOf(from);
  for (;;) {
    row = step[0] < 0 ? row.previousElementSibling : step[0] > 0 ? row.nextElementSibling : row;
    at += step[1];
    if (!row || !row.children[at]) return;
    const button = row.children[at].querySelector('.cell');
    if (!button) continue;
    button.focus();
    return;
  }
}

function show(data) {
  const { columns, rows } = data;
  const nodes = rows.map((row) => el('tr', {}, el('th', { scope: 'row', dir: 'auto' }, row.doc),
    columns.map((column, i) => cellNode(data, row, column, row.cells[i]))));
  const texts = rows.map(rowText);
  const documentColumn = { name: 'Document', type: 'text', number: false };
  const all = [documentColumn, ...columns];
  const cellOf = (row, at) => (at === 0 ? { value: row.doc, unit: '' } : row.cells[at - 1]);
  const sort = { at: 0, direction: 1 };
  const inputs = all.map((column) => el('input', { type: 'search', 'aria-label': `Filter ${column.name}`,
    placeholder: column.number ? '> 100' : 'filter', oninput: () => update() }));
  const heads = all.map((column, at) => el('th', { scope: 'col', class: column.number ? 'number' : null, title: column.question || null },
    el('button', { type: 'button', class: 'sort', onclick: () => {
      sort.direction = sort.at === at ? -sort.direction : 1;
      sort.at = at;
      update();
    } }, column.unit ? `${column.name} (${column.unit})` : column.name), inputs[at]));
  const body = el('tbody', { onkeydown: moveByKeys });
  const feet = columns.map((column) => el('td', { class: column.number ? 'number' : null }));
  byId('table').append(el('thead', {}, el('tr', {}, heads)), body,
    el('tfoot', {}, el('tr', {}, el('th', { scope: 'row' }, 'Total of the rows shown'), feet)));

  function update() {
    const filters = all.map((column, at) => filterOf(inputs[at].value, column.number));
    const words = byId('search').value.trim().toLowerCase();
    const shown = rows.map((row, i) => i).filter((i) => texts[i].includes(words)
      && filters.every((filter, at) => !filter || filter(cellOf(rows[i], at))));
    shown.sort((a, b) => compareCells(cellOf(rows[a], sort.at), cellOf(rows[b], sort.at), all[sort.at].number, sort.direction) || a - b);
    body.replaceChildren(...shown.map((i) => nodes[i]));
    heads.forEach((head, at) => {
      if (at === sort.at) head.setAttribute('aria-sort', sort.direction > 0 ? 'ascending' : 'descending');
      else head.removeAttribute('aria-sort');
    });
    columns.forEach((column, i) => {
      if (column.number) feet[i].replaceChildren(...totals(shown.map((at) => rows[at]), i).map((text) => el('div', {}, text)));
    });
    const filled = shown.reduce((sum, i) => sum + rows[i].cells.filter(hasValue).length, 0);
    byId('count').textContent = `${plural(shown.length, 'document', 'documents')} of ${rows.length}, ${plural(filled, 'cell', 'cells')} filled`;
    byId('clear').disabled = words === '' && filters.every((filter) => !filter);
  }
  byId('search').addEventListener('input', update);
  byId('clear').addEventListener('click', () => {
    [byId('search'), ...inputs].forEach((input) => { input.value = ''; });
    update();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') closeProof();
    if (event.key === '/' && event.target.tagName !== 'INPUT') {
      event.preventDefault();
      byId('search').focus();
    }
  });
  showTheme();
  update();
  const wanted = /^#cell=(\d+),(\d+)$/.exec(decodeURIComponent(location.hash)); // of a link: row and column, from 1
  const node = wanted && nodes[wanted[1] - 1] && nodes[wanted[1] - 1].children[wanted[2]];
  const button = node && node.querySelector('.cell');
  if (button) button.click();
}

function start() {
  readReport().then(show).catch((problem) => {
    byId('problem').textContent = `This browser cannot show this page; use a browser from 2023 or later: ${problem}`;
    byId('problem').hidden = false;
  });
}
