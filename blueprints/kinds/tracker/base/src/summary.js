import { addDays } from './dates.js';
/* #isAmounts */

/** Returns the sum of the measured values of the entries whose date begins with a text, such as 2026-05. */
export const sumOf = (entries, measured, date = '') =>
  entries.filter((entry) => entry.date.startsWith(date)).reduce((sum, entry) => sum + entry[measured], 0);

/** Returns the last days, as 2026-05-31, or months, as 2026-05, up to that of a date. */
export const lastDays = (date, count) => Array.from({ length: count }, (_, index) => addDays(date, index + 1 - count));
export const lastMonths = (date, count) =>
  Array.from({ length: count }, (_, index) => {
    const [year, month] = date.split('-').map(Number);
    return new Date(Date.UTC(year, month + index - count, 1)).toISOString().slice(0, 7);
  });

/** Groups entries by what `key` returns, in the order in which keys appear. */
export function groupBy(entries, key) {
  const groups = new Map();
  for (const entry of entries) groups.set(key(entry), [...(groups.get(key(entry)) ?? []), entry]);
  return [...groups];
}
/* /isAmounts */
/* #isHabits */

/** Returns how many days in a row are done up to a date. The date itself may still be open. */
export function streak(days, date) {
  let count = 0;
  let day = days.includes(date) ? date : addDays(date, -1);
  for (; days.includes(day); day = addDays(day, -1)) count++;
  return count;
}
/* /isHabits */
