import type { Caller } from '../access/callers.ts';
import { unauthorizedError } from '../access/credential-errors.ts';
import type { DailyUsage, UsageStore } from '../access/usage-store.ts';
import { usdSum } from '../contract/prices.ts';
import { type Period, USAGE_DAYS, type Usage, type UsageQuery, type UsageResponse } from '../contract/queries.ts';
import { periodOf } from '../http/input.ts';
import type { Clock } from '../platform/clock.ts';

/**
 * Returns the body of `GET /api/v1/usage` for the caller.
 * @throws ApiError unauthorized without a credential, invalid_request for an invalid period
 */
export async function usageResponse(
  caller: Caller | undefined,
  query: UsageQuery,
  store: Pick<UsageStore, 'read'>,
  clock: Clock,
): Promise<UsageResponse> {
  if (!caller?.credential)
    throw unauthorizedError('Usage is recorded for API keys and tokens only: send one as Authorization: Bearer');
  const period = usagePeriod(query, clock());
  return usageReport(await store.read(caller.id, period), period);
}

/**
 * Returns the period of a query, with its defaults.
 * @throws ApiError invalid_request if `from` is after `to`, or they are too far apart
 */
export function usagePeriod(query: UsageQuery, now: number): Period {
  return periodOf(query, now, USAGE_DAYS);
}

/** Groups the usage of a period by day and computes its totals. */
export function usageReport(usage: readonly DailyUsage[], { from, to }: Period): UsageResponse {
  const days = Map.groupBy(usage, ({ day }) => day);
  return {
    from,
    to,
    totals: usage.reduce<Usage>(sum, NOTHING),
    days: Array.from(days, ([day, ofDay]) => ({
      day,
      operations: Object.fromEntries(ofDay.map(({ day: _, operation, ...amounts }) => [operation, amounts] as const)),
    })),
  };
}

const NOTHING: Usage = {
  calls: 0,
  statuses: {},
  tokens: 0,
  files: 0,
  bytes: 0,
  cost: { usd: 0, unpriced: 0 },
  ms: 0,
};

function sum(a: Usage, b: Usage): Usage {
  const statuses = { ...a.statuses };
  for (const [status, calls] of Object.entries(b.statuses)) statuses[status] = (statuses[status] ?? 0) + calls;
  return {
    calls: a.calls + b.calls,
    statuses,
    tokens: a.tokens + b.tokens,
    files: a.files + b.files,
    bytes: a.bytes + b.bytes,
    cost: { usd: usdSum(a.cost.usd, b.cost.usd), unpriced: a.cost.unpriced + b.cost.unpriced },
    ms: a.ms + b.ms,
  };
}
