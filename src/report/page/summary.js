// The head of a report: totals over all questions.

const kVerdicts = ['right', 'partly', 'wrong', 'unjudged', 'error', 'missing'];

function verdictCard(report) {
  const summary = report.summary;
  const parts = kVerdicts.filter((kind) => summary.verdicts[kind])
    .map((kind) => ({ kind, count: summary.verdicts[kind] }));
  const judged = summary.judged > 0;
  const measure = report.scored ? 'mean score' : 'right answers, compared with the gold answers';
  return el('div', { class: 'card' },
    el('h2', {}, judged ? 'Answers' : 'Answers, not judged'),
    judged && el('div', { class: 'figure' }, percent(summary.value)),
    judged && el('p', { class: 'quiet' }, `${measure}, of ${plural(summary.judged, 'question', 'questions')} that can be judged`),
    parts.length > 0 && partsBar(parts, summary.questions),
    el('ul', { class: 'keys' },
      parts.map((part) => el('li', {}, el('span', { class: part.kind }, el('span', { class: 'dot' })), `${part.kind} ${number(part.count, 0)}`)),
      el('li', {}, `declined ${number(summary.declined, 0)}`),
      summary.quirks > 0 && el('li', {}, `affected by quirks of the published scorer ${number(summary.quirks, 0)}`)));
}

// Each group is a row. Clicking it filters the questions.
function slicesCard(slices, choose) {
  const row = (group) => el('tr', {},
    el('th', { scope: 'row' }, el('button', { type: 'button', class: 'link', onclick: () => choose(slices.facet, group.name) }, textOf(group.name))),
    el('td', {}, shareBar(group.value)),
    el('td', { class: 'number' }, percent(group.value)),
    el('td', { class: 'number quiet' }, number(group.judged, 0)));
  const heads = [['', slices.label], ['', 'bar'], ['number', 'mean'], ['number', 'judged']];
  return el('div', { class: 'card' }, el('h2', {}, `By ${slices.label.toLowerCase()}`),
    el('table', {}, el('thead', {}, el('tr', {}, heads.map(([kind, text]) =>
      el('th', { scope: 'col', class: kind }, text === 'bar' ? el('span', { class: 'unseen' }, text) : text)))),
      el('tbody', {}, slices.groups.map(row))));
}

function reliabilityCard(summary) {
  if (summary.reliability.length === 0) return null;
  return el('div', { class: 'card' }, el('h2', {}, 'Confidence and right answers'),
    reliabilityChart(summary.reliability),
    el('p', { class: 'quiet' }, `expected calibration error ${number(summary.calibration_error, 3)}; on the dashed line, confidence equals the share of right answers`),
    unseenTable('Confidence and right answers', ['confidence', 'share right', 'answers'],
      summary.reliability.map((bin) => [number(bin.said), number(bin.came), String(bin.count)])));
}

function costCard(title, cost, unit) {
  if (!cost.bins.length || cost.most === 0) return null;
  return el('div', { class: 'card' }, el('h2', {}, title), histogramChart(cost.bins, unit),
    el('p', { class: 'quiet' }, `mean ${number(cost.mean)}, median ${number(cost.median)}, most ${number(cost.most)}; ${number(cost.total, 0)} in all`),
    unseenTable(title, [unit, 'questions'], cost.bins.map(([from, to, count]) => [`${number(from)} to ${number(to)}`, String(count)])));
}

function showSummary(report, choose) {
  const by = [report.pipelines.length && `pipeline ${report.pipelines.join(', ')}`,
    report.generators.length && `generator ${report.generators.join(', ')}`,
    plural(report.questions.length, 'question', 'questions')];
  byId('made').textContent = by.filter(Boolean).join(' · ');
  if (report.questions.length < 2) return;
  const summary = report.summary;
  const slices = summary.judged > 0 ? summary.slices.filter((one) => one.groups.length > 1) : [];
  byId('summary').append(el('div', { class: 'cards' }, verdictCard(report),
    slices.map((one) => slicesCard(one, choose)), reliabilityCard(summary),
    costCard('Seconds per question', summary.seconds, 'seconds'),
    costCard('Calls per question', summary.calls, 'calls'),
    costCard('Tokens read per question', summary.read, 'tokens'),
    costCard('Tokens written per question', summary.written, 'tokens')));
}
