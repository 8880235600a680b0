/** What the options dialog tells about this page. */
export const keys = [
  ['Alt ← →', 'Move a card to another column'],
  ['Alt ↑ ↓', 'Move it within its column'],
  ['Enter', 'Open a card'],
];

export const keepsData = true;
