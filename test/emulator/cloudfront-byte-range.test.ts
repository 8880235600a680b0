import { parseByteRange } from '../../local/cloud/http.ts';
import { testRows } from '../support/rows.ts';

testRows([
  ['bytes=0-3', { first: 0, last: 3 }],
  ['bytes=4-', { first: 4, last: 9 }],
  ['bytes=9-9', { first: 9, last: 9 }],
  ['bytes=5-500', { first: 5, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-30', { first: 0, last: 9 }],
  ['Bytes=1-2', { first: 1, last: 2 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=10-20', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=3-2', undefined],
  ['bytes=0-1,4-5', undefined],
  ['bytes=-', undefined],
  ['bytes=a-b', undefined],
  ['lines=0-1', undefined],
])('parses the Range of ten bytes', (field, range) => {
  expect(parseByteRange(field, 10)).toEqual(range);
});

test('no range of an empty body is satisfiable', () => {
  expect(parseByteRange('bytes=0-', 0)).toBe('unsatisfiable');
  expect(parseByteRange('bytes=-1', 0)).toBe('unsatisfiable');
});
