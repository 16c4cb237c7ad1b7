// Shows the steps of a pipeline from its trace.

// Members that are shown elsewhere, or in their own form.
const kToldApart = new Set(['step', 'ms', 'agent', 'reply', 'weights', 'means', 'variances']);

function valueText(value) {
  if (typeof value === 'number') return number(value, 3);
  if (typeof value === 'string') return value;
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return isList ? value.join(', ') || 'none' : JSON.stringify(value);
}

function memberList(step) {
  return Object.entries(step).filter(([name]) => !kToldApart.has(name))
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${valueText(value)}`).join(' · ');
}

function stepItem(step) {
  const time = step.ms >= 1 ? ` · ${number(step.ms, 0)} ms` : '';
  return el('li', {}, el('strong', {}, step.agent || step.step || 'step'), time && el('span', { class: 'quiet' }, time),
    el('div', { class: 'of text', dir: 'auto' }, memberList(step)),
    typeof step.reply === 'string' && el('pre', { dir: 'auto' }, step.reply));
}

function stepsOf(trace) {
  const calls = trace.filter((step) => step.step === 'call').length;
  const title = `Steps: ${number(trace.length, 0)}${calls ? `, ${plural(calls, 'call', 'calls')} of the generator` : ''}`;
  return el('details', { class: 'more' }, el('summary', {}, title), el('ol', { class: 'steps' }, trace.map(stepItem)));
}

// How adaptive K chose the number of pages.
function mixtureOf(step, retrieved) {
  const scores = retrieved.map(([, , score]) => score);
  const whose = step.scorer ? ` of ${step.scorer}` : '';
  const sentence = `The mixture over the scores${whose} of the best ${number(step.window, 0)} pages chose K = ${number(step.k, 0)}`;
  if (!step.fitted || ![step.means, step.variances, step.weights].every(Array.isArray)) return el('p', {}, `${sentence}: the mixture could not be fitted, so K is the fixed number.`);
  return el('div', {}, el('p', {}, `${sentence}; ticks are the ranked pages.`), mixtureChart(step, step.scorer ? [] : scores));
}
