// Which rows are shown, and in which order.

// "> 100", "<= 5" and "10..20" compare numbers, "=" asks for empty cells; all else is part of the text.
function filterOf(text, isNumber) {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return null;
  if (wanted === '=') return (cell) => !hasValue(cell);
  const bound = /^(<=|>=|<|>)\s*(-?[\d.]+)$/.exec(wanted);
  const range = /^(-?[\d.]+)\s*\.\.\s*(-?[\d.]+)$/.exec(wanted);
  if (isNumber && bound) {
    const limit = Number(bound[2]);
    const holds = { '<': (x) => x < limit, '<=': (x) => x <= limit, '>': (x) => x > limit, '>=': (x) => x >= limit }[bound[1]];
    return (cell) => hasValue(cell) && holds(Number(cell.value));
  }
  if (isNumber && range) {
    return (cell) => hasValue(cell) && Number(cell.value) >= Number(range[1]) && Number(cell.value) <= Number(range[2]);
  }
  return (cell) => hasValue(cell) && `${cell.value} ${cell.unit}`.toLowerCase().includes(wanted);
}

function hasValue(cell) {
  return cell !== null && cell.value !== undefined;
}

// Empty cells come last in both directions.
function compareCells(a, b, isNumber, direction) {
  if (!hasValue(a) || !hasValue(b)) return Number(hasValue(b)) - Number(hasValue(a));
  const order = isNumber ? Number(a.value) - Number(b.value) : a.value.localeCompare(b.value, undefined, { numeric: true });
  return direction * order;
}

function rowText(row) {
  return [row.doc, ...row.cells.filter(hasValue).map((cell) => `${cell.value} ${cell.unit} ${cell.quote || ''}`)].join('\n').toLowerCase();
}
