/** What the options dialog tells about this page. */
export const keys = [
  ['↑ ↓ ← →', 'Steer'],
  ['W A S D', 'Steer as well'],
  ['Space', 'Pause'],
];

export const keepsData = true;
