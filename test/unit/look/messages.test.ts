import { framesOf, framesOfLog, textOfError, textOfLog } from '../../../lambda/look/watch.ts';
import { testRows } from '../../support/rows.ts';

const description = `TypeError: x is not a function
    at save (https://page.invalid/app.js:3:14)
    at async https://page.invalid/main.js:1:2`;

it('returns the first line and the frames of an error', () => {
  const exception = { type: 'object', className: 'TypeError', description };
  const found = {
    text: 'Uncaught (in promise)',
    lineNumber: 8,
    columnNumber: 9,
    url: 'https://page.invalid/z.js',
  };
  expect(textOfError({ ...found, exception })).toBe('Uncaught (in promise) TypeError: x is not a function');
  expect(framesOf({ ...found, exception })).toEqual([
    { url: 'https://page.invalid/app.js', lineNumber: 2, columnNumber: 13 },
    { url: 'https://page.invalid/main.js', lineNumber: 0, columnNumber: 1 },
    { url: 'https://page.invalid/z.js', lineNumber: 8, columnNumber: 9 },
  ]);
});

it('returns the frames of an error that is logged', () => {
  const stack = 'Error\n    at App (https://page.invalid/app.js:7:2)';
  const logged = [text('%o in %s'), { type: 'object', className: 'TypeError', description }, text(stack)];
  expect(framesOfLog(logged)).toEqual([
    { url: 'https://page.invalid/app.js', lineNumber: 2, columnNumber: 13 },
    { url: 'https://page.invalid/main.js', lineNumber: 0, columnNumber: 1 },
    { url: 'https://page.invalid/app.js', lineNumber: 6, columnNumber: 1 },
  ]);
});

const text = (value: string) => ({ type: 'string', value });

testRows([
  [[text('no key')], 'no key'],
  [[text('%s of %d failed%c'), text('Save'), { type: 'number', value: 3 }, text('color: red')], 'Save of 3 failed'],
  [[text('Load:'), { type: 'object', description }], 'Load: TypeError: x is not a function'],
  [[{ type: 'object', description: 'Object' }, text('%s')], 'Object %s'],
  [[text('100 %s')], '100 %s'],
  [[{ type: 'undefined' }], 'undefined'],
] as const)('returns a logged line as a console shows it', (values, line) => {
  expect(textOfLog(values)).toBe(line);
});
