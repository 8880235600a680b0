/** What the options dialog tells about this page. */
export const keys = [
  ['← →', 'The project before or after, in a project'],
  ['Escape', 'Close a project'],
];

export const keepsData = false;
