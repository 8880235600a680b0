const SVG = 'http://www.w3.org/2000/svg';
const HEIGHT = 260;
const EDGE = { top: 16, right: 26, bottom: 30, left: 50 };
const LABEL_WIDTH = 72;

function element(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** Returns about `count` round numbers that span the values: 0, 5, 10, … */
export function ticks(values, count = 4) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const rough = (high - low || 1) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough);
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** Returns a smooth path through the points that never overshoots them. */
function curve(points) {
  return points
    .map(([x, y], index) => {
      if (index === 0) return `M${x} ${y}`;
      const [beforeX, beforeY] = points[index - 1];
      const middle = (beforeX + x) / 2;
      return `C${middle} ${beforeY} ${middle} ${y} ${x} ${y}`;
    })
    .join('');
}

/** Draws a line chart, `width` in pixels. `mark(index)` moves the marker; `nearest(fraction)` returns the index at a fraction of the width. */
export function lineChart(labels, values, format, width) {
  const scale = ticks(values);
  const [low, high] = [scale[0], scale.at(-1)];
  const x = (index) => EDGE.left + ((width - EDGE.left - EDGE.right) * index) / (values.length - 1 || 1);
  const y = (value) => EDGE.top + (HEIGHT - EDGE.top - EDGE.bottom) * (1 - (value - low) / (high - low));
  const points = values.map((value, index) => [x(index), y(value)]);
  const every = Math.ceil((labels.length * LABEL_WIDTH) / width);
  const marker = element('g', { class: 'marker' }, element('line', { y1: EDGE.top, y2: y(low) }), element('circle', { r: 6 }));
  const svg = element(
    'svg',
    { viewBox: `0 0 ${width} ${HEIGHT}`, 'aria-hidden': 'true' },
    ...scale.map((value) => element('line', { class: 'grid', x1: EDGE.left, x2: width - EDGE.right, y1: y(value), y2: y(value) })),
    ...scale.map((value) => element('text', { x: EDGE.left - 10, y: y(value) + 4, 'text-anchor': 'end' }, format(value))),
    ...labels.map((label, index) => (index % every ? '' : element('text', { x: x(index), y: HEIGHT - 6, 'text-anchor': 'middle' }, label))).filter(Boolean),
    element('path', { class: 'area', d: `${curve(points)}V${y(low)}H${EDGE.left}Z` }),
    element('path', { class: 'curve', d: curve(points) }),
    marker,
  );
  return {
    svg,
    mark(index) {
      const [markedX, markedY] = points[index];
      for (const end of ['x1', 'x2']) marker.firstChild.setAttribute(end, markedX);
      marker.lastChild.setAttribute('cx', markedX);
      marker.lastChild.setAttribute('cy', markedY);
    },
    nearest(fraction) {
      const share = (fraction * width - EDGE.left) / (width - EDGE.left - EDGE.right);
      return Math.min(values.length - 1, Math.max(0, Math.round(share * (values.length - 1))));
    },
  };
}

/** Draws a bar chart, `width` in pixels; the highest bar is highlighted. */
export function barChart(labels, values, format, width) {
  const gap = width / 40;
  const high = Math.max(...values) || 1;
  const each = (width + gap) / values.length;
  const tall = (value) => (HEIGHT - 60) * (value / high);
  return element(
    'svg',
    { viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img', 'aria-label': labels.map((label, index) => `${label}: ${format(values[index])}`).join(', ') },
    ...values.flatMap((value, index) => {
      const middle = index * each + (each - gap) / 2;
      const top = HEIGHT - 28 - tall(value);
      return [
        element('rect', { class: value === high ? 'bar highest' : 'bar', x: index * each, y: top, width: each - gap, height: tall(value), rx: 7 }),
        element('text', { x: middle, y: top - 8, 'text-anchor': 'middle' }, format(value)),
        element('text', { x: middle, y: HEIGHT - 6, 'text-anchor': 'middle' }, labels[index]),
      ];
    }),
  );
}

/** Returns the values of a chart as a table for screen readers, with the class visually-hidden. */
export function chartTable(caption, labels, values, format) {
  const table = Object.assign(document.createElement('table'), { className: 'visually-hidden' });
  table.createCaption().textContent = caption;
  for (const [index, label] of labels.entries()) {
    const row = table.insertRow();
    const head = Object.assign(document.createElement('th'), { scope: 'row', textContent: label });
    row.append(head);
    row.insertCell().textContent = format(values[index]);
  }
  return table;
}
