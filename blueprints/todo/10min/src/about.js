/** What the options dialog tells about this page. */
export const keys = [
  ['N', 'Write a new entry'],
  ['Enter', 'Finish a change'],
  ['Escape', 'Take a change back'],
  ['↑ ↓', 'Move an entry, on its handle'],
];

export const keepsData = true;
