import type { DailyUsage } from '../lambda/access/usage-store.ts';
import { knownDollars } from '../lambda/contract/dollars.ts';
import type { Usage } from '../lambda/contract/queries.ts';
import type { Table } from '../terminal/text.ts';

/** Returns the table of usage by day and operation, with its totals. */
export function usageTable(usage: readonly DailyUsage[], totals: Usage): Table {
  return {
    header: ['DAY', 'OPERATION', 'CALLS', 'TOKENS', 'FILES', 'BYTES', 'MS', 'STATUSES', 'COST'],
    rows: usage.map((daily) => [daily.day, daily.operation, ...cells(daily)]),
    totals: ['total', '', ...cells(totals)],
  };
}

function cells({ calls, tokens, files, bytes, ms, statuses, cost }: Usage) {
  const counts = Object.entries(statuses).map(([status, count]) => `${status}:${count}`);
  return [calls, tokens, files, bytes, ms, counts.join(' '), { value: cost.usd, text: knownDollars(cost) }];
}
