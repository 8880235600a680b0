import { line } from './data.js';
import { between, summarize } from './statistics.js';

const $ = (id) => document.getElementById(id);
const ROWS = { mean: 'Mean', low: 'Lowest', high: 'Highest' };

/** The selects of the two ranges, as the ids of their ends. */
const RANGES = [
  ['first-from', 'first-to'],
  ['second-from', 'second-to'],
];

/** Fills the selects anew: the first half of the line against the second. */
export function offerRanges() {
  const half = Math.floor(line.values.length / 2);
  const ends = [0, half - 1, half, line.values.length - 1];
  RANGES.flat().forEach((id, index) => {
    $(id).replaceChildren(...line.labels.map((label, at) => new Option(label, at)));
    $(id).value = ends[index];
  });
}

/** Draws the comparison. `inUnit(value)` and `difference(value)` give texts in the unit that was chosen. */
export function showComparison(inUnit, difference) {
  const [first, second] = RANGES.map(([from, to]) => summarize(between(line.values, Number($(from).value), Number($(to).value))));
  $('comparison').replaceChildren(
    ...Object.entries(ROWS).map(([key, name]) => {
      const row = document.createElement('tr');
      const head = Object.assign(document.createElement('th'), { scope: 'row', textContent: name });
      const change = second[key] - first[key];
      const texts = [inUnit(first[key]), inUnit(second[key]), `${change < 0 ? '−' : '+'}${difference(Math.abs(change))}`];
      row.append(head, ...texts.map((text) => Object.assign(document.createElement('td'), { textContent: text })));
      return row;
    }),
  );
}
