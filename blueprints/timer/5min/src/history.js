import { load, save } from './store.js';

const KEPT = 2000;
let sessions = load('sessions', []);

/** The finished sessions, oldest first: `{ name, minutes, end }`, the end in milliseconds since 1970. */
export const all = () => sessions;

export function record(name, minutes, end = Date.now()) {
  sessions = [...sessions, { name, minutes, end }].slice(-KEPT);
  save('sessions', sessions);
}

/** The first moment of a day, some days before the one that holds `now`. By the calendar: days are not always 24 h. */
function dayStart(now, daysBefore) {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysBefore).getTime();
}

/** The last days, the oldest first: `{ start, minutes, count }` of each. */
export function byDay(list, days, now = Date.now()) {
  return Array.from({ length: days }, (_, index) => {
    const start = dayStart(now, days - 1 - index);
    const inside = list.filter(({ end }) => end >= start && end < dayStart(now, days - 2 - index));
    return { start, count: inside.length, minutes: inside.reduce((sum, session) => sum + session.minutes, 0) };
  });
}

/** How many days in a row have a session, up to today; a day that has only begun does not break the row. */
export function streak(list, now = Date.now()) {
  const days = new Set(list.map(({ end }) => dayStart(end, 0)));
  let before = days.has(dayStart(now, 0)) ? 0 : 1;
  const first = before;
  while (days.has(dayStart(now, before))) before++;
  return before - first;
}
