import { createHash } from 'node:crypto';
import { CAPACITY, estimatedVisitors, fittingLevel, isKept, visitorHash } from '../../../../lambda/stored/views.ts';

const hashOf = (text: string) => visitorHash(createHash('sha256').update(text).digest());

/** Returns the level and the size of a sample, as writes that each know only what is stored make it. */
function sampleOf(visitors: number, seed: string) {
  let kept = new Set<number>();
  let level = 0;
  let most = 0;
  for (let i = 0; i < visitors; i++) {
    const hash = hashOf(`${seed} ${i}`);
    if (isKept(hash, level)) kept.add(hash);
    if (kept.size <= CAPACITY) continue;
    most = Math.max(most, kept.size);
    level = fittingLevel(kept, level);
    kept = new Set([...kept].filter((one) => isKept(one, level)));
  }
  return { kept, level, most };
}

test('estimates 100,000 visitors within three standard errors, from 1,024 hashes', () => {
  const errors = ['a', 'b'].map((seed) => {
    const { kept, level, most } = sampleOf(100_000, seed);
    expect(most).toBe(CAPACITY + 1);
    expect(kept.size).toBeGreaterThan(CAPACITY / 4);
    return estimatedVisitors(kept, level) / 100_000 - 1;
  });
  for (const error of errors) expect(Math.abs(error)).toBeLessThan(3 * 0.044);
  expect(Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length)).toBeLessThan(0.06);
});

test('counts visitors exactly until the sample is full', () => {
  const { kept, level } = sampleOf(CAPACITY, 'exact');
  expect(estimatedVisitors(kept, level)).toBe(CAPACITY);
});

test('ignores hashes that an instance added at an earlier level', () => {
  const kept = hashOf('x') % 2 ** 47;
  expect(estimatedVisitors([kept, 2 ** 47 + 1], 1)).toBe(2);
});
