import { showDate } from './dates.js';
import { $, make } from './dom.js';
import { ratesDate } from './rates.js';
import { load, save } from './store.js';
import { format, lang, texts } from './texts.js';
import { convert, measures } from './units.js';

/** The measure and the units of a first visit. */
const first = '{{first}}';
const currencies = new Intl.DisplayNames(lang, { type: 'currency' });
const shown = new Intl.NumberFormat(lang, { maximumSignificantDigits: 7 });
let state = load('state', undefined) ?? withUnits({ ...first, value: 1 });

/** Returns a state whose units belong to its measure. */
function withUnits({ measure, from, to, value }) {
  const units = Object.keys(measures[measure]);
  const start = from in measures[measure] ? from : units[0];
  return { measure, from: start, to: to in measures[measure] ? to : units.find((unit) => unit !== start), value };
}

/** Returns the symbol of a unit: km; units without one have their name. */
function symbolOf(unit, unitDisplay = 'short') {
  if (state.measure === 'currency' || texts[unit]) return texts[unit] ?? unit;
  const parts = new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay }).formatToParts(2);
  return parts.filter(({ type }) => type === 'unit').map(({ value }) => value).join(' ');
}

function nameOf(unit) {
  const long = state.measure === 'currency' ? currencies.of(unit) : symbolOf(unit, 'long');
  return texts[unit] ?? `${long} (${symbolOf(unit)})`;
}

/** Returns a value for an input: at most eight digits, and two decimals of a currency. */
const rounded = (value) => Number(state.measure === 'currency' ? value.toFixed(2) : value.toPrecision(8));

/** Computes everything from the first value; `source` is the input that someone types in, which keeps its text. */
function compute(source) {
  const { measure, from, to, value } = state;
  if (source !== $('from')) $('from').value = rounded(value);
  if (source !== $('to')) $('to').value = rounded(convert(value, measure, from, to));
  const others = Object.keys(measures[measure]).filter((unit) => unit !== from);
  $('others').replaceChildren(
    ...others.map((unit) => make('tr', {}, make('th', { scope: 'row' }, nameOf(unit)), make('td', {}, shown.format(rounded(convert(value, measure, from, unit)))))),
  );
  $('sum').textContent = `${shown.format(value)} ${symbolOf(from)} = ${shown.format(rounded(convert(value, measure, from, to)))} ${symbolOf(to)}`;
  save('state', state);
}

function show(next) {
  state = withUnits(next);
  for (const button of $('measures').children) button.ariaPressed = String(button.value === state.measure);
  for (const side of ['from', 'to']) {
    const options = Object.keys(measures[state.measure]).map((unit) => make('option', { value: unit }, nameOf(unit)));
    $(`${side}-unit`).replaceChildren(...options);
    $(`${side}-unit`).value = state[side];
  }
  $('sample').textContent = state.measure === 'currency' ? format(texts.sample, { date: showDate(ratesDate, { dateStyle: 'long' }) }) : '';
  compute();
}

$('from').addEventListener('input', ({ target }) => {
  state.value = Number(target.value);
  compute(target);
});
$('to').addEventListener('input', ({ target }) => {
  state.value = convert(Number(target.value), state.measure, state.to, state.from);
  compute(target);
});
for (const side of ['from', 'to']) $(`${side}-unit`).addEventListener('change', ({ target }) => show({ ...state, [side]: target.value }));
$('swap').addEventListener('click', () => show({ ...state, from: state.to, to: state.from }));
$('measures').append(
  ...Object.keys(measures).map((value) => make('button', { type: 'button', className: 'quiet', value, onclick: () => show({ measure: value, value: 1 }) }, texts[value])),
);
show(state);
