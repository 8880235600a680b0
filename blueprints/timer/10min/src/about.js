/** What the options dialog tells about this page. */
export const keys = [
  ['Space', 'Start or pause'],
  ['R', 'Reset the interval'],
];

export const keepsData = true;
