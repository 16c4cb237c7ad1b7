// Makes elements. Text from documents and answers becomes text nodes: no markup is ever parsed.

const kSvg = 'http://www.w3.org/2000/svg';

function give(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== undefined && child !== null && child !== false) node.append(child);
  }
  return node;
}

function el(tag, attributes, ...children) {
  return give(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
  return give(document.createElementNS(kSvg, tag), attributes, children);
}

// Text from documents or answers, in its own direction and with its own line ends.
function textOf(text, more) {
  return el('span', { class: more ? `text ${more}` : 'text', dir: 'auto' }, text);
}

function byId(id) {
  return document.getElementById(id);
}

function number(value, digits) {
  if (value === null || value === undefined) return '–';
  const small = digits === undefined && Math.abs(value) < 1;
  return value.toLocaleString('en', small ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: digits === undefined ? 2 : digits });
}

function percent(value) {
  return value === null || value === undefined ? '–' : `${number(100 * value, 1)}%`;
}

function plural(count, one, many) {
  return `${number(count, 0)} ${count === 1 ? one : many}`;
}

// A table that replaces a picture for people who use a screen reader.
function unseenTable(caption, heads, rows) {
  const cells = (tag, texts) => texts.map((text) => el(tag, {}, text));
  return el('table', { class: 'unseen' }, el('caption', {}, caption),
    el('thead', {}, el('tr', {}, cells('th', heads))),
    el('tbody', {}, rows.map((row) => el('tr', {}, cells('td', row)))));
}
