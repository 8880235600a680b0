import { addDays, daysBetween, mondayOf } from './dates.js';

/** The tasks of a first visit: one begins after the other. */
export const firstTasks = '{{tasks}}';

/** Returns the tasks with a first and a last day, one after the other from a date on. */
export function schedule(tasks, date) {
  let start = date;
  return tasks.map(({ name, days }) => {
    const task = { name, start, end: addDays(start, days - 1) };
    start = addDays(start, days);
    return task;
  });
}

/** Returns the Monday on which the time axis begins and its length in days: whole weeks, and one more to move into. */
export function axisOf(tasks, date) {
  const from = mondayOf(tasks.reduce((first, { start }) => (start < first ? start : first), tasks[0]?.start ?? date));
  const to = tasks.reduce((last, { end }) => (end > last ? end : last), from);
  return { from, days: Math.max(4, Math.floor(daysBetween(from, to) / 7) + 2) * 7 };
}
