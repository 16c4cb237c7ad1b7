// Draws charts as SVG, in the coordinates of a view box.

// A share of 0..1 as a bar.
function shareBar(share) {
  const width = 100 * Math.max(0, Math.min(1, share || 0));
  return svg('svg', { class: 'bar', viewBox: '0 0 100 12', preserveAspectRatio: 'none', 'aria-hidden': true },
    svg('rect', { class: 'fill-ground', width: 100, height: 12, rx: 2 }),
    svg('rect', { class: 'fill-bar', width, height: 12, rx: 2 }));
}

// Parts of a total, next to each other: [{kind, count}].
function partsBar(parts, total) {
  let x = 0;
  const rects = parts.map((part) => {
    const width = 100 * part.count / total;
    const rect = svg('rect', { class: part.kind, x, width, height: 14 });
    x += width;
    return rect;
  });
  return svg('svg', { class: 'share', viewBox: '0 0 100 14', preserveAspectRatio: 'none', 'aria-hidden': true }, rects);
}

// How often answers of a given confidence were right: one dot for each bin, its size by the number
// of answers.
function reliabilityChart(bins) {
  const side = 220, left = 36, bottom = 26;
  const x = (p) => left + p * side, y = (p) => 8 + (1 - p) * side;
  const most = Math.max(1, ...bins.map((bin) => bin.count));
  const axis = [0, 0.25, 0.5, 0.75, 1].map((p) => [
    svg('line', { class: 'axis', x1: x(p), x2: x(p), y1: y(0), y2: y(1) }),
    svg('line', { class: 'axis', x1: x(0), x2: x(1), y1: y(p), y2: y(p) }),
    svg('text', { x: x(p), y: y(0) + 14, 'text-anchor': 'middle' }, number(p)),
    svg('text', { x: left - 6, y: y(p) + 4, 'text-anchor': 'end' }, number(p)),
  ]);
  const dots = bins.map((bin) => svg('circle',
    { class: 'fill-bar', cx: x(bin.said), cy: y(bin.came), r: 4 + 8 * Math.sqrt(bin.count / most) },
    svg('title', {}, `${plural(bin.count, 'answer', 'answers')}: confidence ${number(bin.said)}, right ${number(bin.came)}`)));
  return svg('svg', { class: 'chart', viewBox: `0 0 ${left + side + 14} ${8 + side + bottom + 12}`, role: 'img', 'aria-label': 'Confidence and share of right answers; the table that follows has the numbers' },
    axis, svg('line', { class: 'ideal', x1: x(0), y1: y(0), x2: x(1), y2: y(1) }), dots,
    svg('text', { x: x(0.5), y: y(0) + 30, 'text-anchor': 'middle' }, 'confidence, and share of right answers'));
}

// Bins [[from, to, count]] as columns.
function histogramChart(bins, unit) {
  const width = 320, height = 110, left = 6;
  const step = width / bins.length;
  const most = Math.max(1, ...bins.map((bin) => bin[2]));
  const columns = bins.map(([from, to, count], i) => {
    const tall = height * count / most;
    return svg('rect', { class: 'fill-bar', x: left + i * step + 1, width: Math.max(1, step - 2), y: 8 + height - tall, height: tall },
      svg('title', {}, `${number(from)} to ${number(to)} ${unit}: ${plural(count, 'question', 'questions')}`));
  });
  const last = bins[bins.length - 1][1];
  const labels = [[0, 'start', '0'], [0.5, 'middle', number(last / 2)], [1, 'end', `${number(last)} ${unit}`]];
  return svg('svg', { class: 'chart', viewBox: `0 0 ${width + 12} ${height + 28}`, role: 'img', 'aria-label': `Questions by ${unit}` },
    svg('line', { class: 'axis', x1: left, x2: left + width, y1: 8 + height, y2: 8 + height }), columns,
    labels.map(([at, anchor, text]) => svg('text', { x: left + at * width, y: height + 24, 'text-anchor': anchor }, text)));
}

// The two Gaussians over the scores of pages; the one with the higher mean chose K. A tick is a
// found page.
function mixtureChart(step, scores) {
  const spread = step.variances.map(Math.sqrt);
  const ends = step.means.flatMap((mean, i) => [mean - 3 * spread[i], mean + 3 * spread[i]]).concat(scores);
  const low = Math.min(...ends), high = Math.max(...ends);
  const width = 320, height = 100;
  const x = (score) => 6 + width * (score - low) / (high - low || 1);
  const density = (i, score) => step.weights[i] / (spread[i] || 1e-9)
    * Math.exp(-((score - step.means[i]) ** 2) / (2 * (step.variances[i] || 1e-9)));
  const points = Array.from({ length: 161 }, (_, i) => low + (high - low) * i / 160).concat(step.means).sort((a, b) => a - b);
  const peaks = step.means.map((mean, i) => density(i, mean));
  const most = Math.min(Math.max(...peaks), 3 * Math.min(...peaks)) || 1;  // a spike must leave room for the other curve
  const upper = step.means[1] >= step.means[0] ? 1 : 0;
  const curve = (i) => svg('polyline', { class: i === upper ? 'curve high' : 'curve low',
    points: points.map((score) => `${x(score).toFixed(1)},${(8 + height * (1 - Math.min(1, density(i, score) / most))).toFixed(1)}`).join(' ') });
  return svg('svg', { class: 'chart', viewBox: `0 0 ${width + 12} ${height + 34}`, role: 'img',
    'aria-label': `Two groups of scores, with means ${number(step.means[1 - upper], 3)} and ${number(step.means[upper], 3)}` },
    svg('line', { class: 'axis', x1: 6, x2: 6 + width, y1: 8 + height, y2: 8 + height }), curve(0), curve(1),
    scores.map((score) => svg('line', { class: 'tick', x1: x(score), x2: x(score), y1: 4 + height, y2: 14 + height })),
    svg('text', { x: 6, y: height + 30 }, number(low, 3)),
    svg('text', { x: 6 + width, y: height + 30, 'text-anchor': 'end' }, `score ${number(high, 3)}`));
}
