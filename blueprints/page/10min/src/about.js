/** What the options dialog tells about this page. */
export const keys = [
  ['/', 'Search the page'],
  ['Enter', 'Go to the next place that was found'],
];

export const keepsData = false;
