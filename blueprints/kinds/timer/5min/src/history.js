import { load, save } from './store.js';

const KEPT = 2000;
let sessions = load('sessions', []);

/** Returns the finished sessions, oldest first: `{ name, minutes, end }`, the end in milliseconds since 1970. */
export const all = () => sessions;

export function record(name, minutes, end = Date.now()) {
  sessions = [...sessions, { name, minutes, end }].slice(-KEPT);
  save('sessions', sessions);
}

/** Returns the start of a day before `now`, by the calendar: a day with a clock change does not have 24 hours. */
function dayStart(now, daysBefore) {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysBefore).getTime();
}

/** Returns `{ start, minutes, count }` of each of the last days, the oldest first. */
export function byDay(list, days, now = Date.now()) {
  return Array.from({ length: days }, (_, index) => {
    const start = dayStart(now, days - 1 - index);
    const inside = list.filter(({ end }) => end >= start && end < dayStart(now, days - 2 - index));
    return { start, count: inside.length, minutes: inside.reduce((sum, session) => sum + session.minutes, 0) };
  });
}

/** Returns the number of consecutive days with a session. Today does not count as missed. */
export function streak(list, now = Date.now()) {
  const days = new Set(list.map(({ end }) => dayStart(end, 0)));
  let before = days.has(dayStart(now, 0)) ? 0 : 1;
  const first = before;
  while (days.has(dayStart(now, before))) before++;
  return before - first;
}
