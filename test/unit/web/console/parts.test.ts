import type { UsageResponse } from '../../../../client/client.ts';
import { diffLines, treeMove, treeRows, usageDays } from '../../../../web/console/parts/rows.ts';
import { testRows } from '../../../support/rows.ts';

it('a diff has the numbers of its lines, and no headers', () => {
  const diff =
    '--- a/x\n+++ b/x\n@@ -3,3 +3,3 @@\n same\n---old\n+++new\n\n\\ No newline at end of file\n@@ -9 +9 @@\n-a\n';
  expect(diffLines(diff).map(({ kind, text, number }) => [kind, text, number])).toEqual([
    ['hunk', '@@ -3,3 +3,3 @@', undefined],
    ['same', 'same', 3],
    ['removed', '--old', 4],
    ['added', '++new', 4],
    ['same', '', 5],
    ['hunk', '@@ -9 +9 @@', undefined],
    ['removed', 'a', 9],
  ]);
});

it('usage by day has the days without usage too', () => {
  const usage = (calls: number, failed: number) => ({
    calls,
    statuses: { 200: calls - failed, 429: failed },
    tokens: 5,
    files: 1,
    bytes: 9,
    cost: { usd: 0.5, unpriced: failed },
    ms: 1,
  });
  const report: UsageResponse = {
    from: '2026-02-28',
    to: '2026-03-02',
    totals: usage(5, 2),
    days: [{ day: '2026-03-01', operations: { deploy: usage(3, 2), generate: usage(2, 0) } }],
  };
  expect(usageDays(report)).toEqual([
    { day: '2026-02-28', calls: 0, failed: 0, tokens: 0, files: 0, cost: { usd: 0, unpriced: 0 } },
    { day: '2026-03-01', calls: 5, failed: 2, tokens: 10, files: 2, cost: { usd: 1, unpriced: 2 } },
    { day: '2026-03-02', calls: 0, failed: 0, tokens: 0, files: 0, cost: { usd: 0, unpriced: 0 } },
  ]);
});

describe('a tree of files', () => {
  const PATHS = ['index.html', 'src/b.js', 'src/a.js', 'src/lib/c.js', 'README.md'];
  const rows = (...closed: string[]) => treeRows(PATHS, new Set(closed));

  it('lists folders before files, by name', () => {
    expect(rows().map(({ path, level, position, siblings }) => [path, level, position, siblings])).toEqual([
      ['src', 1, 1, 3],
      ['src/lib', 2, 1, 3],
      ['src/lib/c.js', 3, 1, 1],
      ['src/a.js', 2, 2, 3],
      ['src/b.js', 2, 3, 3],
      ['README.md', 1, 2, 3],
      ['index.html', 1, 3, 3],
    ]);
    expect(rows('src').map(({ path }) => path)).toEqual(['src', 'README.md', 'index.html']);
  });

  testRows([
    ['src', 'ArrowRight', { focus: 'src/lib' }],
    ['src/lib', 'ArrowLeft', { toggle: 'src/lib' }],
    ['src/a.js', 'ArrowLeft', { focus: 'src' }],
    ['src/a.js', 'ArrowRight', {}],
    ['index.html', 'ArrowDown', { focus: 'index.html' }],
    ['index.html', 'Home', { focus: 'src' }],
    ['src', 'End', { focus: 'index.html' }],
    ['index.html', 's', { focus: 'src' }],
    ['src', 'r', { focus: 'README.md' }],
    ['src', 'Tab', undefined],
  ])('moves with the arrow keys, Home and End', (focused, key, move) =>
    expect(treeMove(rows(), focused, key)).toEqual(move),
  );

  it('opens a closed folder', () => {
    expect(treeMove(rows('src'), 'src', 'ArrowRight')).toEqual({ toggle: 'src' });
    expect(treeMove(rows('src'), 'src', 'ArrowDown')).toEqual({ focus: 'README.md' });
  });
});
