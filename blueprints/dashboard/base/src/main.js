import { barChart, lineChart } from './charts.js';
import { bars, line, numbers, ranges, units } from './data.js';
import { load, save } from './store.js';
import { lang } from './texts.js';

const $ = (id) => document.getElementById(id);
const round = new Intl.NumberFormat(lang, { maximumFractionDigits: 1 });

let unit = units.find(({ name }) => name === load('unit', '')) ?? units[0];
let chart;
let marked = line.start;

/** A value in the chosen unit, as text: 18 → “18°” or “64°”. */
function inUnit(value) {
  const number = Math.round(value * unit.factor + unit.offset);
  if (!unit.currency) return `${round.format(number)}${unit.after}`;
  return new Intl.NumberFormat(lang, { style: 'currency', currency: unit.currency, maximumFractionDigits: 0 }).format(number);
}
const plain = (value) => round.format(value);

function make(name, className, text) {
  return Object.assign(document.createElement(name), { className, textContent: text });
}

function showNumbers() {
  $('numbers').replaceChildren(
    ...numbers.map(({ label, value, text }) => {
      const box = make('div', 'number', '');
      box.append(make('strong', '', text || inUnit(value)), make('span', '', label));
      return box;
    }),
  );
}

function showRanges() {
  const low = Math.min(...ranges.map((range) => range.low));
  const high = Math.max(...ranges.map((range) => range.high));
  const share = (value) => String((value - low) / (high - low));
  $('ranges').replaceChildren(
    ...ranges.map((range) => {
      const item = document.createElement('li');
      const track = make('span', 'track', '');
      const bar = document.createElement('span');
      bar.style.setProperty('--from', share(range.low));
      bar.style.setProperty('--to', share(range.high));
      track.append(bar);
      item.append(make('span', '', range.label), make('span', 'low', inUnit(range.low)), track, make('span', '', inUnit(range.high)));
      return item;
    }),
  );
}

function mark(index) {
  marked = Math.min(line.values.length - 1, Math.max(0, index));
  chart.mark(marked);
  const text = `${line.labels[marked]}: ${inUnit(line.values[marked])}`;
  $('readout').textContent = text;
  $('line').setAttribute('aria-valuenow', marked);
  $('line').setAttribute('aria-valuemin', 0);
  $('line').setAttribute('aria-valuemax', line.values.length - 1);
  $('line').setAttribute('aria-valuetext', text);
}

// Drawn for the current width, so that texts in charts keep their size.
function showCharts() {
  chart = lineChart(line.labels, line.values, inUnit, $('line').clientWidth);
  $('line').replaceChildren(chart.svg);
  $('bars').replaceChildren(barChart(bars.labels, bars.values, plain, $('bars').clientWidth));
  mark(marked);
}

function show() {
  showCharts();
  showNumbers();
  showRanges();
}

$('line').addEventListener('pointermove', (event) => {
  const { left, width } = $('line').getBoundingClientRect();
  mark(chart.nearest((event.clientX - left) / width));
});
$('line').addEventListener('keydown', (event) => {
  const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -Infinity, End: Infinity }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  mark(marked + step);
});

$('units').hidden = units.length < 2;
for (const choice of units) {
  const button = make('button', '', choice.name);
  button.type = 'button';
  button.setAttribute('aria-pressed', String(choice === unit));
  button.addEventListener('click', () => {
    unit = choice;
    save('unit', unit.name);
    for (const other of $('units').children) other.setAttribute('aria-pressed', String(other === button));
    show();
  });
  $('units').append(button);
}

show();
new ResizeObserver(showCharts).observe($('line'));
