import { load, save } from './store.js';
import { format, texts } from './texts.js';

let own = load('own-intervals', []);

/** Returns the intervals that the visitor added, in the shape of those in config.js. */
export const ownIntervals = () => own;

function keep(next) {
  own = next;
  save('own-intervals', own);
}

/** Adds an interval, or replaces the one of the same name, and returns it. */
export function addOwn(name, minutes) {
  const interval = { id: `own-${name.toLowerCase()}`, name, minutes, counts: true, hint: format(texts.running, { name }) };
  keep([...own.filter(({ id }) => id !== interval.id), interval]);
  return interval;
}

export const removeOwn = (id) => keep(own.filter((interval) => interval.id !== id));
