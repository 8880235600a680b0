const MINUTE = 60_000;
const formats = new Map();

/** Returns the clock of a time zone as a date in UTC, to the minute. `time` is in ms; no zone is the visitor's. */
export function clockOf(time, timeZone) {
  const options = { timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' };
  if (!formats.has(timeZone)) formats.set(timeZone, new Intl.DateTimeFormat('en', options));
  const parts = Object.fromEntries(formats.get(timeZone).formatToParts(time).map(({ type, value }) => [type, Number(value)]));
  return new Date(Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute));
}

/** Returns by how many minutes the clock of a time zone is ahead of the visitor's. */
export const difference = (time, timeZone) => (clockOf(time, timeZone) - clockOf(time)) / MINUTE;

/** Returns 'working' from 9 to 17 o'clock, 'night' from 22 to 7, else 'free'. */
export function partOfDay(time, timeZone) {
  const hour = clockOf(time, timeZone).getUTCHours();
  return hour >= 9 && hour < 17 ? 'working' : hour >= 22 || hour < 7 ? 'night' : 'free';
}

/** Returns the half hours of a day, which begins at `midnight`, in which all time zones have working hours. */
export const commonTimes = (midnight, timeZones) =>
  Array.from({ length: 48 }, (_, index) => midnight + index * 30 * MINUTE).filter((time) =>
    timeZones.every((timeZone) => partOfDay(time, timeZone) === 'working'),
  );
