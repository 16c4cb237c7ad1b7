// Makes elements. Text from documents and users becomes text nodes: no markup is ever parsed.

function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
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

function byId(id) {
  return document.getElementById(id);
}

// Text from documents or users, in its own direction and with its own line ends.
function textOf(text, kind) {
  return el('span', { class: kind ? `text ${kind}` : 'text', dir: 'auto' }, text);
}

function counted(count, one, many) {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
