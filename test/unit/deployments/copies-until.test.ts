import { copiesUntil } from '../../../lambda/deployments/edge-cache.ts';

it.each([
  [0, 60],
  [30, 60],
  [600, 600],
])('with edgeSeconds of %i, copies may be seen for %i seconds', (edgeSeconds, seconds) => {
  expect(copiesUntil(1_000_000, edgeSeconds)).toBe(1_000_000 + seconds * 1_000);
});
