/* #isAmounts */
import { barChart, chartTable, lineChart } from './charts.js';
import { config } from './config.js';
import { showDate, today } from './dates.js';
import { $, make } from './dom.js';
import { entriesOf } from './entries.js';
import { iconButton } from './icon-button.js';
import { groupBy, lastDays, lastMonths, sumOf } from './summary.js';
import { format, lang, texts } from './texts.js';

const { currency, unit, per, goal, measured, fields } = config;
const style = currency ? { style: 'currency', currency } : unit ? { style: 'unit', unit } : {};
const number = new Intl.NumberFormat(lang, { maximumFractionDigits: currency ? 2 : 1, ...style });
const short = new Intl.NumberFormat(lang, { maximumFractionDigits: 0, ...style, notation: 'compact' });
const show = (value) => number.format(value);
const form = $('form');
const choice = fields.find(({ type }) => type === 'choice');
let editing;

const entries = entriesOf('entries', [], (id) => {
  draw();
  document.querySelector(`[data-id="${CSS.escape(id ?? '')}"] .edit`)?.focus();
});
const byDate = () => entries.all().toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));

/** The three numbers at the top: a label and a text each. */
function numbers(all) {
  const sum = (date) => sumOf(all, measured, date);
  const [lastMonth, month] = lastMonths(today(), 2);
  if (per === 'month') return [[texts.thisMonth, show(sum(month))], [texts.lastMonth, show(sum(lastMonth))], [texts.today, show(sum(today()))]];
  const week = lastDays(today(), 7).reduce((total, day) => total + sum(day), 0);
  const first = goal ? format(texts.goal, { goal: show(goal) }) : texts.today;
  if (per === 'day') return [[first, show(sum(today()))], [texts.week, show(week)], [texts.thisMonth, show(sum(month))]];
  if (all.length === 0) return [[texts.latest, '–'], [texts.change, '–'], [texts.average, '–']];
  const latest = all.at(-1)[measured];
  const change = new Intl.NumberFormat(lang, { maximumFractionDigits: 1, ...style, signDisplay: 'exceptZero' });
  return [
    [texts.latest, show(latest)],
    [texts.change, change.format(latest - all[0][measured])],
    [texts.average, show(sumOf(all, measured) / all.length)],
  ];
}

function drawChart(all) {
  const width = $('chart').clientWidth;
  if (per === '') {
    $('chart-title').textContent = fields.find(({ name }) => name === measured).label;
    const [labels, values] = [all.map(({ date }) => showDate(date)), all.map((entry) => entry[measured])];
    if (all.length === 0) return $('chart').replaceChildren();
    const chart = lineChart(labels, values, (value) => value.toLocaleString(lang), width);
    chart.mark(all.length - 1);
    return $('chart').replaceChildren(chart.svg, chartTable($('chart-title').textContent, labels, values, show));
  }
  $('chart-title').textContent = per === 'month' ? texts.months : texts.week;
  const times = per === 'month' ? lastMonths(today(), 6) : lastDays(today(), 7);
  const labels = times.map((time) => showDate(time, per === 'month' ? { month: 'short' } : { weekday: 'short' }));
  const values = times.map((time) => sumOf(all, measured, time));
  $('chart').replaceChildren(barChart(labels, values, (value) => short.format(value), width));
}

/** The shares of the categories in the sum of this month. */
function drawShares(all) {
  const month = all.filter(({ date }) => date.startsWith(today().slice(0, 7)));
  const groups = choice ? groupBy(month, (entry) => entry[choice.name]) : [];
  const sums = groups.map(([name, list]) => [name, sumOf(list, measured)]).sort((a, b) => b[1] - a[1]);
  $('shares').hidden = sums.length === 0;
  $('shares-title').textContent = texts.thisMonth;
  $('share-list').replaceChildren(
    ...sums.map(([name, sum]) => make('li', {}, make('span', {}, name), make('b', {}, show(sum)), make('meter', { value: sum / (sums[0][1] || 1), ariaHidden: 'true' }))),
  );
}

function row(entry) {
  const others = fields.filter(({ name }) => name !== measured && entry[name] !== '');
  const label = others.map(({ name, type, label: of }) => (type === 'number' ? `${of}: ${entry[name].toLocaleString(lang)}` : entry[name])).join(' · ');
  const name = `${label || showDate(entry.date)} ${show(entry[measured])}`;
  return make('li', {},
    make('time', { dateTime: entry.date }, showDate(entry.date, { day: 'numeric', weekday: 'short' })),
    make('span', { dir: 'auto' }, label),
    make('b', {}, show(entry[measured])),
    make('span', { className: 'actions' },
      iconButton('edit', format(texts.edit, { name }), () => edit(entry.id)),
      iconButton('remove', format(texts.remove, { name }), () => {
        if (editing === entry.id) edit();
        entries.remove(entry.id, name);
        form.elements[measured].focus();
      })));
}

function drawList(all) {
  const months = groupBy(all.toReversed(), ({ date }) => date.slice(0, 7));
  $('empty').textContent = all.length > 0 ? '' : texts.empty;
  $('list').replaceChildren(
    ...months.map(([month, list]) => {
      const total = per === '' ? '' : show(sumOf(list, measured));
      const items = list.map((entry) => {
        const item = row(entry);
        item.dataset.id = entry.id;
        return item;
      });
      return make('section', {},
        make('h3', {}, make('span', {}, showDate(month, { month: 'long', year: 'numeric' })), make('span', {}, total)),
        make('ul', {}, ...items));
    }),
  );
}

function draw() {
  const all = byDate();
  $('numbers').replaceChildren(...numbers(all).map(([label, text]) => make('div', {}, make('dt', {}, label), make('dd', {}, text))));
  drawChart(all);
  drawShares(all);
  drawList(all);
}

/** Fills the form with an entry to edit it, or empties it for a new one. */
function edit(id) {
  editing = id;
  const entry = entries.get(id);
  form.reset();
  form.elements.date.value = entry?.date ?? today();
  if (entry) for (const { name } of fields) form.elements[name].value = entry[name];
  $('form-title').textContent = entry ? texts.editEntry : texts.newEntry;
  $('cancel').hidden = !entry;
  form.elements[measured].focus({ preventScroll: !entry });
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const values = fields.map(({ name, type }) => {
    const text = form.elements[name].value.trim();
    return [name, type === 'number' ? Number(text) : text];
  });
  const entry = { date: form.elements.date.value, ...Object.fromEntries(values) };
  if (editing) entries.change(editing, entry);
  else entries.add(entry);
  edit();
});
$('cancel').addEventListener('click', () => edit());

form.elements.date.value = today();
draw();
new ResizeObserver(() => drawChart(byDate())).observe($('chart'));
/* /isAmounts */
/* #isHabits */
import { config } from './config.js';
import { addDays, mondayOf, showDate, today } from './dates.js';
import { $, make } from './dom.js';
import { entriesOf } from './entries.js';
import { iconButton } from './icon-button.js';
import { streak } from './summary.js';
import { format, texts } from './texts.js';

let monday = mondayOf(today());
const habits = entriesOf('habits', config.habits.map((name) => ({ name, days: [] })), () => draw());

/** Draws the page again and keeps the focus on the same control. */
function toggle(habit, day) {
  const days = habit.days.includes(day) ? habit.days.filter((other) => other !== day) : [...habit.days, day];
  habits.change(habit.id, { days });
  document.querySelector(`[data-id="${CSS.escape(habit.id)}"] [data-day="${day}"]`).focus();
}

function dayButton(habit, day) {
  const [weekday, date] = [showDate(day, { weekday: 'short' }), showDate(day, { day: 'numeric' })];
  const button = make('button', {
    type: 'button',
    className: 'day',
    disabled: day > today(),
    ariaPressed: String(habit.days.includes(day)),
    ariaLabel: `${habit.name}, ${weekday} ${date}`,
    onclick: () => toggle(habit, day),
  }, make('span', {}, weekday), ' ', make('b', {}, date));
  button.dataset.day = day;
  if (day === today()) button.setAttribute('aria-current', 'date');
  return button;
}

function card(habit) {
  const count = streak(habit.days, today());
  const week = Array.from({ length: 7 }, (_, index) => addDays(monday, index));
  const name = make('input', { value: habit.name, ariaLabel: format(texts.edit, { name: habit.name }), maxLength: 60, dir: 'auto' });
  name.addEventListener('change', () => habits.change(habit.id, { name: name.value.trim() || habit.name }));
  const item = make('li', { className: 'panel habit' },
    name,
    make('p', { className: count > 0 ? 'streak' : 'note' }, count > 0 ? format(texts.streak, { n: count }) : texts.noStreak),
    iconButton('remove', format(texts.remove, { name: habit.name }), () => {
      habits.remove(habit.id, habit.name);
      $('name').focus();
    }),
    make('div', { className: 'week', role: 'group', ariaLabel: habit.name }, ...week.map((day) => dayButton(habit, day))));
  item.dataset.id = habit.id;
  return item;
}

function draw() {
  const sunday = addDays(monday, 6);
  $('week').textContent = `${showDate(monday)} – ${showDate(sunday, { day: 'numeric', month: 'short', year: 'numeric' })}`;
  $('next').disabled = sunday >= today();
  $('list').replaceChildren(...habits.all().map(card));
  $('empty').textContent = habits.all().length > 0 ? '' : texts.noHabits;
}

function move(days) {
  monday = addDays(monday, days);
  draw();
}

const next = iconButton('next', texts.nextWeek, () => move(7));
next.id = 'next';
$('weeks').prepend(iconButton('back', texts.previousWeek, () => move(-7)));
$('weeks').append(next);
$('form').addEventListener('submit', (event) => {
  event.preventDefault();
  const name = $('name').value.trim();
  if (name) habits.add({ name, days: [] });
  $('name').value = '';
});
draw();
/* /isHabits */
