import { lang } from './texts.js';

// Dates are texts such as 2026-05-31 and are computed in UTC, so that no day has 23 or 25 hours.
const DAY = 86_400_000;

/** The visitor's date. */
export function today() {
  const now = new Date();
  return new Date(now - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

export const addDays = (date, days) => new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);

/** The number of days from one date to another. */
export const daysBetween = (from, to) => Math.round((Date.parse(to) - Date.parse(from)) / DAY);

/** The Monday of the week of a date. */
export const mondayOf = (date) => addDays(date, -((new Date(date).getUTCDay() + 6) % 7));

/** Formats a date in the language of the page, with the options of Intl.DateTimeFormat. */
export const showDate = (date, options = { day: 'numeric', month: 'short' }) =>
  new Intl.DateTimeFormat(lang, { ...options, timeZone: 'UTC' }).format(Date.parse(date));
