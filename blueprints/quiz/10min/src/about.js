/** What the options dialog tells about this page. */
export const keys = [
  ['A B C D', 'Choose an answer'],
  ['1 2 3 4', 'The same, by number'],
  ['Enter', 'Answer, and go on'],
];

export const keepsData = true;
