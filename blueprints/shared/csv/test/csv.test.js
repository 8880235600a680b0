import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCsv, toCsv } from '../src/csv.js';

test('values survive a round trip', () => {
  const rows = [
    ['name', 'note'],
    ['Ana', 'says "hello", twice'],
    ['Ben', 'two\nlines'],
  ];
  assert.deepEqual(parseCsv(toCsv(rows)), rows);
});

test('numbers stay numbers, formulas become text', () => {
  assert.equal(toCsv([[-5, '=1+1', '@x']]), "-5,'=1+1,'@x\r\n");
});

test('parses semicolons, CRLF and empty lines', () => {
  assert.deepEqual(parseCsv('a;b\r\n\r\n1;2\r\n'), [
    ['a', 'b'],
    ['1', '2'],
  ]);
  assert.deepEqual(parseCsv('a;1,5'), [['a', '1,5']]);
});
