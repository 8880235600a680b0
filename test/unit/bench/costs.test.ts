import { readFileSync } from 'node:fs';
import { costsDocument, STAGE } from '../../../bench/costs/document.ts';
import { readMeasured } from '../../../bench/costs/measured.ts';
import { worstDay } from '../../../bench/costs/worst-day.ts';
import { parseConfig } from '../../../lib/config.ts';

const measured = readMeasured();

it('docs/costs.md is what the limits and prices make of the measured requests: npm run costs -- --document', () => {
  expect(readFileSync('docs/costs.md', 'utf8')).toBe(costsDocument(STAGE, measured));
});

describe('the most that strangers can cost in a day', () => {
  const hole = (name: RegExp, changes: object = {}) => {
    const { providers } = STAGE;
    const found = worstDay(parseConfig({ providers, ...changes }, 'test'), measured).find((one) =>
      name.test(one.name),
    );
    if (found === undefined) throw new Error(`There is no row ${name}`);
    return found;
  };

  it('was what the review computed, within a tenth', () => {
    const near = (usd: number, expected: number) => expect(Math.abs(usd / expected - 1)).toBeLessThan(0.1);
    near(hole(/tokens of models/).before[0] ?? 0, 14_000);
    near(hole(/pages and files/).before[0] ?? 0, 918);
    near(hole(/requests per second/).before[0] ?? 0, 480);
    near(hole(/waiting/).before[0] ?? 0, 576);
  });

  it('follows the limits of the configuration', () => {
    expect(hole(/tokens of models/, { budgets: { anonymous: { usd: 2 } } }).after).toEqual([2, 2, 10]);
    expect(hole(/tokens of models/, { providers: { 'provider-a': { kind: 'blueprint' } } }).after).toEqual([
      0, 0, 0,
    ]);
    const waits = hole(/waiting/, { concurrency: { generationApi: 150 } });
    expect(waits.after[1]).toBeCloseTo((hole(/waiting/).after[1] ?? 0) / 2);
    const stored = hole(/deploys/, { bytesPerDay: { anonymous: 100_000_000 } });
    expect(stored.after[0]).toBeCloseTo((hole(/deploys/).after[0] ?? 0) / 2);
    const slow = hole(/requests per second/, { throttle: { rate: 10 } });
    expect(slow.after[1]).toBeLessThan(hole(/requests per second/).after[1] ?? 0);
  });
});
