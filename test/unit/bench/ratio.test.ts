import { type Bound, lineOf, ratio } from '../../../bench/figure.ts';
import { testRows } from '../../support/rows.ts';

/** Returns one value after the other; the first one is the warm-up. */
function sampler(values: readonly number[]) {
  let calls = 0;
  const sample = () => values[calls++ % values.length] ?? 0;
  return { sample, calls: () => calls };
}

const of = (values: readonly number[], bound: Bound) =>
  ratio('a / b', bound, sampler(values).sample, () => 10, { rounds: 5, seconds: 0.05 });

testRows<[readonly number[], Bound, boolean]>([
  [[14], { atMost: 1.4 }, true],
  [[15], { atMost: 1.4 }, false],
])('judges a ratio by its bound', async (values, bound, ok) => {
  expect((await of(values, bound)).ok).toBe(ok);
});

it('returns the median of the ratios, whatever a few rounds were disturbed by', async () => {
  const figure = await of([12, 12, 90, 12, 12, 11, 13], { atMost: 1.4 });
  expect(figure).toMatchObject({ value: 1.2, ok: true, raw: { own: 12, other: 10, unit: 'ms' } });
});

it('samples in turns', async () => {
  const order: string[] = [];
  const sample = (name: string) => () => order.push(name);
  await ratio('a / b', { atMost: 1 }, sample('a'), sample('b'), { rounds: 5 });
  expect(order.join('')).toBe('ab'.repeat(6));
});

it('ends after the minimum of rounds when all agree', async () => {
  const own = sampler([12]);
  await ratio('a / b', { atMost: 1.4 }, own.sample, () => 10, { rounds: 9, seconds: 60 });
  expect(own.calls()).toBe(1 + 9);
});

it('goes on while the rounds disagree about the bound', async () => {
  // Half of the first ten are out of bounds, then all are within: certain in the 19th round.
  const own = sampler([0, ...Array.from({ length: 10 }, (_, i) => (i % 2 ? 12 : 16)), ...Array(90).fill(12)]);
  const figure = await ratio('a / b', { atMost: 1.4 }, own.sample, () => 10, { rounds: 5, seconds: 60 });
  expect(figure.ok).toBe(true);
  expect(own.calls()).toBe(1 + 19);
});

it('prints name, ratio, bound and the two values', async () => {
  const line = lineOf(await of([15], { atMost: 1.4 }), 8);
  expect(line.split(/\s{2,}/)).toEqual(['MISS', 'a / b', '1.5', '≤ 1.4', '15 / 10 ms']);
});
