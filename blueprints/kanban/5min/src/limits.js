import { load, save } from './store.js';

let limits = load('limits', {});

/** How many cards a column should hold at most, by its number; undefined when there is no limit. */
export const limitOf = (column) => limits[column];

/** Sets a limit, or takes it away with 0. */
export function setLimit(column, limit) {
  const { [column]: _old, ...others } = limits;
  limits = limit > 0 ? { ...others, [column]: limit } : others;
  save('limits', limits);
}

/** How full a column is, in words and as a state: under, at or over its limit. */
export function describe(count, limit) {
  if (!limit) return { label: String(count), state: 'free' };
  return { label: `${count} of ${limit}`, state: count > limit ? 'over' : count === limit ? 'full' : 'free' };
}
