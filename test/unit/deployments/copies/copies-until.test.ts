import { copiesUntil } from '../../../../lambda/deployments/copies/edge-copies.ts';
import { testRows } from '../../../support/rows.ts';

testRows([
  [0, 60],
  [30, 60],
  [600, 600],
])('copies may be seen for edgeSeconds, and for a minute at least', (edgeSeconds, seconds) => {
  expect(copiesUntil(1_000_000, edgeSeconds)).toBe(1_000_000 + seconds * 1_000);
});
