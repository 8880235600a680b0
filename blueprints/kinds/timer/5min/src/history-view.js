import { all, byDay, streak } from './history.js';
/* #from10min */
import { csv, goal, setGoal } from './goal.js';
import { download } from './files.js';
/* /from10min */
import { format, lang, texts } from './texts.js';

const DAYS = 7;
const $ = (id) => document.getElementById(id);
const weekday = new Intl.DateTimeFormat(lang, { weekday: 'short' });

function column({ start, minutes, count }, highest) {
  const item = document.createElement('li');
  const [value, bar, day] = ['span', 'span', 'span'].map((name) => document.createElement(name));
  value.textContent = minutes > 0 ? Math.round(minutes) : '';
  bar.className = 'bar-of-day';
  bar.style.setProperty('--share', String(minutes / highest));
  day.textContent = weekday.format(start);
  item.setAttribute('aria-label', format(texts.day, { day: weekday.format(start), minutes: Math.round(minutes), n: count }));
  item.append(value, bar, day);
  return item;
}

function show() {
  const days = byDay(all(), DAYS);
  let highest = Math.max(25, ...days.map(({ minutes }) => minutes));
  /* #from10min */
  highest = Math.max(highest, goal());
  $('chart').style.setProperty('--goal', String(goal() / highest));
  $('goal').value = goal() || '';
  /* /from10min */
  const total = days.reduce((sum, { minutes }) => sum + minutes, 0);
  const row = streak(all());
  $('chart').replaceChildren(...days.map((day) => column(day, highest)));
  $('history-summary').textContent =
    total > 0 ? format(texts.week, { minutes: Math.round(total), n: row }) : texts.noSessions;
}

$('open-history').addEventListener('click', () => {
  show();
  $('history').showModal();
});
/* #from10min */
$('goal').addEventListener('change', () => {
  if (!$('goal').validity.valid) return;
  setGoal($('goal').valueAsNumber || 0);
  show();
});
$('export').addEventListener('click', () => download(`${texts.sessions}.csv`, csv(all()), 'text/csv'));
/* /from10min */
