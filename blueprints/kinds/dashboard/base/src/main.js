import { barChart, lineChart } from './charts.js';
import { bars, line, periods, ranges, units } from './data.js';
import { load, save } from './store.js';
import { lang } from './texts.js';

const $ = (id) => document.getElementById(id);
const round = new Intl.NumberFormat(lang, { maximumFractionDigits: 1 });

let unit = units.find(({ name }) => name === load('unit', '')) ?? units[0];
let period = periods.find(({ days }) => days === load('period', 0)) ?? periods.at(-1);
let chart;
let marked = line.start;

/** The part of the line that the chosen period shows. */
const shownLine = () => ({ labels: line.labels.slice(-period.days), values: line.values.slice(-period.days) });

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
    ...period.numbers.map(({ label, value, text }) => {
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
  const { labels, values } = shownLine();
  marked = Math.min(values.length - 1, Math.max(0, index));
  chart.mark(marked);
  const text = `${labels[marked]}: ${inUnit(values[marked])}`;
  $('readout').textContent = text;
  $('line').setAttribute('aria-valuenow', marked);
  $('line').setAttribute('aria-valuemin', 0);
  $('line').setAttribute('aria-valuemax', values.length - 1);
  $('line').setAttribute('aria-valuetext', text);
}

// Drawn for the current width, so that texts in charts keep their size.
function showCharts() {
  const { labels, values } = shownLine();
  chart = lineChart(labels, values, inUnit, $('line').clientWidth);
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

/** Offers several choices as buttons, of which one is pressed. */
function offer(group, choices, chosen, choose) {
  group.hidden = choices.length < 2;
  for (const { name, choice } of choices) {
    const button = make('button', '', name);
    button.type = 'button';
    button.setAttribute('aria-pressed', String(choice === chosen));
    button.addEventListener('click', () => {
      choose(choice);
      for (const other of group.children) other.setAttribute('aria-pressed', String(other === button));
      show();
    });
    group.append(button);
  }
}

const inDays = new Intl.NumberFormat(lang, { style: 'unit', unit: 'day', unitDisplay: 'long' });
offer($('units'), units.map((choice) => ({ name: choice.name, choice })), unit, (choice) => {
  unit = choice;
  save('unit', unit.name);
});
offer($('periods'), periods.map((choice) => ({ name: inDays.format(choice.days), choice })), period, (choice) => {
  period = choice;
  save('period', period.days);
  marked = line.values.length;
});
show();
new ResizeObserver(showCharts).observe($('line'));
