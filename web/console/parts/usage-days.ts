import type { UsageResponse } from '../../../client/client.ts';

/** The usage of one day, of all operations. */
export interface UsageDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly calls: number;
  /** Calls with a status of 400 or more. */
  readonly failed: number;
  readonly tokens: number;
  readonly files: number;
  readonly cost: { readonly usd: number; readonly unpriced: number };
}

const DAY_MS = 86_400_000;

/** Returns every day of a report, also those without usage. */
export function usageDays({ from, to, days }: UsageResponse): UsageDay[] {
  const used = new Map(days.map(({ day, operations }) => [day, Object.values(operations)]));
  const all: UsageDay[] = [];
  for (let time = Date.parse(from); time <= Date.parse(to); time += DAY_MS) {
    const day = new Date(time).toISOString().slice(0, 10);
    const operations = used.get(day) ?? [];
    const sum = (of: (operation: (typeof operations)[number]) => number) =>
      operations.reduce((total, operation) => total + of(operation), 0);
    all.push({
      day,
      calls: sum(({ calls }) => calls),
      failed: sum(({ statuses }) => failedOf(statuses)),
      tokens: sum(({ tokens }) => tokens),
      files: sum(({ files }) => files),
      cost: { usd: sum(({ cost }) => cost.usd), unpriced: sum(({ cost }) => cost.unpriced) },
    });
  }
  return all;
}

const failedOf = (statuses: Readonly<Record<string, number | undefined>>) =>
  Object.entries(statuses).reduce((sum, [status, count = 0]) => sum + (Number(status) >= 400 ? count : 0), 0);
