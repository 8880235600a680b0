import { toCsv } from './csv.js';
import { load, save } from './store.js';
import { format, texts } from './texts.js';

/** Returns the daily goal in minutes; 0 when there is none. */
export const goal = () => load('goal', 0);

export const setGoal = (minutes) => save('goal', minutes);

/** Describes the progress of a day, or returns '' without a goal. */
export function progress(minutes, wanted) {
  if (!wanted) return '';
  const left = Math.ceil(wanted - minutes);
  return left > 0 ? format(texts.toGoal, { left }) : texts.goalReached;
}

/** Returns the sessions as CSV, in local time. */
export function csv(sessions) {
  const two = (number) => String(number).padStart(2, '0');
  const rows = sessions.map(({ name, minutes, end }) => {
    const date = new Date(end);
    const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
    return [day, `${two(date.getHours())}:${two(date.getMinutes())}`, name, minutes];
  });
  return toCsv([texts.columns.split(','), ...rows]);
}
