import { readFileSync } from 'node:fs';
import { BENCHES } from '../../../bench/benches.ts';
import { atMost } from '../../../bench/figure.ts';
import { performanceDocument, readResults } from '../../../bench/performance.ts';
import { share } from '../../../bench/ratio.ts';

it('docs/performance.md matches the results of the last run: npm run bench -- --write', () => {
  const results = readResults();
  expect(readFileSync('docs/performance.md', 'utf8')).toBe(performanceDocument(results, BENCHES));
  for (const name of Object.keys(results.figures)) expect(Object.keys(BENCHES)).toContain(name);
});

it('lists each figure beside its floor or peer, and benchmarks that were not measured', () => {
  const ratio = share('a / b', { atMost: 2 }, 30, 10, 'ms');
  const figures = { parser: [ratio, atMost('writes', 1, 1)] };
  const results = { date: '2026-11-24', machine: '2 processors', figures };
  const text = performanceDocument(results, { parser: { how: 'Against b.' }, init: { how: 'x' } });
  expect(text).toContain('## parser\n\nAgainst b.\n');
  expect(text).toContain('| a / b | 3 | ≤ 2 | **no** | 30 ms | 10 ms |\n| writes | 1 | ≤ 1 | yes |  |  |');
  expect(text).toContain('Measured on 2026-11-24: 2 processors. Not measured in that run: `init`.');
});
