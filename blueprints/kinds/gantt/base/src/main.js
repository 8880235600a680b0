import { addDays, daysBetween, mondayOf, showDate, today } from './dates.js';
import { $, make } from './dom.js';
import { entriesOf } from './entries.js';
import { axisOf, firstTasks, schedule } from './tasks.js';
import { format, texts } from './texts.js';

const form = $('form');
let editing;
/** In pixels: at least as many as the labels of the axis need. */
let dayWidth;
let drawnWidth;
const tasks = entriesOf('tasks', schedule(firstTasks, mondayOf(today())), draw);
const lengthOf = ({ start, end }) => daysBetween(start, end) + 1;

/** Moves a task by some days, or only its end; no task is shorter than a day. */
function shift({ id, start, end }, days, onlyEnd) {
  const last = addDays(end, days);
  if (onlyEnd) tasks.change(id, { end: last < start ? start : last });
  else tasks.change(id, { start: addDays(start, days), end: last });
}

/** Lets a bar be dragged: at its last pixels to change the length, elsewhere to move it. Without a drag it is a click. */
function drag(bar, task, event) {
  const resizes = bar.getBoundingClientRect().right - event.clientX < 12;
  const daysTo = ({ clientX }) => Math.round((clientX - event.clientX) / dayWidth);
  bar.setPointerCapture(event.pointerId);
  bar.onpointermove = (moved) => bar.style.setProperty(resizes ? '--longer' : '--moved', daysTo(moved));
  bar.onpointercancel = () => draw();
  bar.onpointerup = (up) => {
    bar.onclick = daysTo(up) === 0 ? bar.onclick : null;
    if (daysTo(up) !== 0) shift(task, daysTo(up), resizes);
  };
}

function barOf(task, from) {
  const dates = { from: showDate(task.start), to: showDate(task.end) };
  const bar = make('button', {
    type: 'button',
    className: 'task',
    ariaLabel: format(texts.bar, { name: task.name, ...dates, n: lengthOf(task) }),
    title: `${dates.from} – ${dates.to}`,
    onclick: () => open(task),
    onpointerdown: (event) => drag(bar, task, event),
    onkeydown(event) {
      const days = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!days) return;
      event.preventDefault();
      shift(task, days, event.shiftKey);
    },
  });
  bar.dataset.id = task.id;
  bar.style.setProperty('--from', daysBetween(from, task.start));
  bar.style.setProperty('--length', lengthOf(task));
  return bar;
}

/** Draws the chart and focuses the bar of the task with the id `focused`. */
function draw(focused) {
  const all = tasks.all().toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  const { from, days } = axisOf(all, today());
  const every = days > 210 ? 28 : days > 70 ? 14 : 7;
  drawnWidth = $('chart').clientWidth;
  const room = drawnWidth - $('weeks').offsetLeft;
  dayWidth = Math.max(112 / every, room / days);
  $('chart').style.setProperty('--days', days);
  $('chart').style.setProperty('--day', `${dayWidth}px`);
  $('chart').style.setProperty('--now', daysBetween(from, today()));
  $('now').hidden = today() < from || today() >= addDays(from, days);
  $('weeks').replaceChildren(
    ...Array.from({ length: days / every }, (_, index) => {
      const label = make('span', {}, showDate(addDays(from, index * every)));
      label.style.setProperty('--from', index * every);
      return label;
    }),
  );
  $('tasks').replaceChildren(
    ...all.map((task) =>
      make('li', {},
        make('span', { className: 'name', dir: 'auto' }, task.name, make('small', {}, format(texts.days, { n: lengthOf(task) }))),
        make('span', { className: 'track' }, barOf(task, from)))),
  );
  $('empty').textContent = all.length > 0 ? '' : texts.noTasks;
  document.querySelector(`[data-id="${CSS.escape(focused ?? '')}"]`)?.focus();
}

/** Opens the form for a task, or for a new one after the last. */
function open(task) {
  editing = task;
  const last = tasks.all().map(({ end }) => end).sort().at(-1);
  const start = task?.start ?? (last ? addDays(last, 1) : today());
  form.elements.name.value = task?.name ?? '';
  form.elements.start.value = start;
  form.elements.end.value = task?.end ?? addDays(start, 6);
  form.elements.end.min = start;
  $('form-title').textContent = task ? texts.editTask : texts.newTask;
  $('delete').hidden = !task;
  $('dialog').showModal();
}

form.elements.start.addEventListener('change', ({ target }) => {
  form.elements.end.min = target.value;
  if (form.elements.end.value < target.value) form.elements.end.value = target.value;
});
form.addEventListener('submit', () => {
  const task = Object.fromEntries(['name', 'start', 'end'].map((name) => [name, form.elements[name].value.trim()]));
  $('dialog').close();
  if (editing) tasks.change(editing.id, task);
  else tasks.add(task);
});
$('delete').addEventListener('click', () => {
  $('dialog').close();
  tasks.remove(editing.id, editing.name);
  $('new').focus();
});
$('cancel').addEventListener('click', () => $('dialog').close());
$('new').addEventListener('click', () => open());
draw();
new ResizeObserver(() => {
  if ($('chart').clientWidth !== drawnWidth) draw(document.activeElement.dataset.id);
}).observe($('chart'));
