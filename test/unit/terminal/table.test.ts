import { usageTable } from '../../../cli/usage-table.ts';
import type { DailyUsage } from '../../../lambda/access/usage-store.ts';
import { alignedLines, shareColumns, tabbedLines } from '../../../terminal/text.ts';

const generate: DailyUsage = {
  day: '2026-11-20',
  operation: 'generate',
  calls: 1_200,
  statuses: { 200: 1_199, 503: 1 },
  tokens: 4_000_000,
  files: 30,
  bytes: 90_000,
  cost: { usd: 12.3, unpriced: 0 },
  ms: 1_000,
};
const deploy: DailyUsage = {
  ...generate,
  operation: 'deploy',
  calls: 7,
  statuses: { 201: 7 },
  tokens: 0,
  cost: { usd: 0, unpriced: 0 },
};

describe('a table', () => {
  it('has aligned columns and totals in a terminal, with numbers aligned right', () => {
    const table = usageTable([deploy, generate], { ...generate, calls: 1_207 });
    expect(alignedLines(table)).toEqual([
      'DAY         OPERATION  CALLS     TOKENS  FILES   BYTES     MS  STATUSES          COST',
      '2026-11-20  deploy         7          0     30  90,000  1,000  201:7               $0',
      '2026-11-20  generate   1,200  4,000,000     30  90,000  1,000  200:1199 503:1  $12.30',
      '─────────────────────────────────────────────────────────────────────────────────────',
      'total                  1,207  4,000,000     30  90,000  1,000  200:1199 503:1  $12.30',
    ]);
  });

  it('aligns characters that take two columns', () => {
    expect(
      alignedLines({
        header: ['NAME', 'N'],
        rows: [
          ['日本', 1],
          ['Ann', 20],
        ],
      }),
    ).toEqual(['NAME   N', '日本   1', 'Ann   20']);
  });

  it('has only tab-separated rows in a pipe', () => {
    expect(tabbedLines(usageTable([deploy, generate], deploy))).toEqual([
      '2026-11-20\tdeploy\t7\t0\t30\t90000\t1000\t201:7\t0',
      '2026-11-20\tgenerate\t1200\t4000000\t30\t90000\t1000\t200:1199 503:1\t12.3',
    ]);
  });
});

it('gives narrow columns what they need, and shares the rest', () => {
  expect(shareColumns([40, 6, 40], 46, 8)).toEqual([20, 6, 20]);
  expect(shareColumns([10, 10], 80, 8)).toEqual([10, 10]);
  expect(shareColumns([40, 3, 40], 5, 8)).toEqual([8, 3, 8]);
});
