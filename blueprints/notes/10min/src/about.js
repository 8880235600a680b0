/** What the options dialog tells about this page. */
export const keys = [
  ['Ctrl B', 'Strong'],
  ['Ctrl I', 'Slanted'],
  ['Ctrl E', 'Code'],
  ['Ctrl K', 'Link'],
];

export const keepsData = true;
