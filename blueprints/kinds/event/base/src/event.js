/** The event. Without a year it is the next such day; times are those of the place. */
export const event = '{{event}}';

/** Whether no time is known: midnight stands for none. */
export const isWholeDay = ({ hour, minute }) => hour === 0 && minute === 0;

/** Returns when the event begins, in the time zone of the browser. */
export function beginOf({ year, month, day, hour, minute }, now = new Date()) {
  const of = (chosen) => new Date(chosen, month - 1, day, hour, minute);
  if (year) return of(year);
  return of(now.getFullYear()) > now ? of(now.getFullYear()) : of(now.getFullYear() + 1);
}
