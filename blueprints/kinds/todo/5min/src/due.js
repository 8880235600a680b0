// Days are texts such as 2026-03-31: they sort alphabetically and have no time zone.

import { lang, texts } from './texts.js';

const DAY = 86_400_000;
const twoDigits = (number) => String(number).padStart(2, '0');

/** Returns the visitor's local day of a date, plus a number of days. */
export function dayOf(date, daysAfter = 0) {
  const day = new Date(date.getFullYear(), date.getMonth(), date.getDate() + daysAfter);
  return `${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`;
}

/** Describes a due day as seen from `today`: its label, and whether it is past, today or later. */
export function describe(due, today) {
  const days = Math.round((Date.parse(due) - Date.parse(today)) / DAY);
  const written = new Intl.DateTimeFormat(lang, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });
  const label =
    { '-1': texts.yesterday, 0: texts.today, 1: texts.tomorrow }[days] ?? written.format(Date.parse(due));
  return { label, state: days < 0 ? 'past' : days === 0 ? 'today' : 'later' };
}
