import { isHeld, reviewState } from '../../../lambda/stored/held.ts';
import { testRows } from '../../support/rows.ts';

const BOUNDS = { anonymousPoints: 50, keyPoints: 100 };
const gate = (points: number) => ({ points, reasons: [] });

testRows([
  ['anonymous', undefined, undefined, undefined],
  ['anonymous', 50, undefined, undefined],
  ['anonymous', 51, undefined, 'held'],
  ['key:a', 51, undefined, undefined],
  ['key:a', 101, undefined, 'held'],
  ['token:a', 101, undefined, 'held'],
  ['anonymous', 51, 51, 'released'],
  ['anonymous', 52, 51, 'held'],
  ['anonymous', 40, 51, undefined],
  ['key:a', 120, 60, 'held'],
] satisfies [string, number | undefined, number | undefined, 'held' | 'released' | undefined][])(
  'a page is held above the bound of its owner, unless it was released with as many points',
  (owner, points, released, state) => {
    const deployment = {
      owner,
      ...(released === undefined ? {} : { released: { points: released, at: 1 } }),
    };
    const version = points === undefined ? {} : { gate: gate(points) };
    expect(reviewState(deployment, version, BOUNDS)).toBe(state);
    expect(isHeld(deployment, version, BOUNDS)).toBe(state === 'held');
    expect(isHeld(deployment, version, undefined)).toBe(false);
  },
);
