import type { Period } from '../contract/days.ts';
import { ApiError } from '../contract/errors.ts';
import { DAY_MS, dayOf } from '../platform/clock.ts';

/**
 * Returns the period of a query, which by default ends today.
 * @param days how many it has by default, and at most
 * @throws ApiError invalid_request if `from` is after `to`, or they are too far apart
 */
export function periodOf(
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: number,
  { standard, most }: { readonly standard: number; readonly most: number },
): Period {
  const { to = dayOf(now), from = dayOf(Date.parse(to) - (standard - 1) * DAY_MS) } = query;
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) throw new ApiError('invalid_request', `from (${from}) must not be after to (${to})`);
  if (days > most)
    throw new ApiError(
      'invalid_request',
      `${from} to ${to} is ${days.toLocaleString('en')} days: request at most ${most}`,
    );
  return { from, to };
}
