/** What the options dialog tells about this page. */
export const keys = [
  ['Tab', 'To the next field'],
  ['Enter', 'Check the answers'],
];

export const keepsData = true;
