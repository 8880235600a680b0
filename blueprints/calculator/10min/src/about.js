/** What the options dialog tells about this page. */
export const keys = [
  ['0–9 . ,', 'Digits and the point'],
  ['+ - * /', 'Operators'],
  ['( ) % ^', 'Brackets, per cent, power'],
  ['Enter', 'The result'],
  ['⌫', 'Delete the last character'],
  ['Escape', 'Begin again'],
];

export const keepsData = true;
