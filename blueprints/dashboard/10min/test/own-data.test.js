import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCsv } from '../src/csv.js';
import { toLine } from '../src/own-data.js';

test('a table becomes a line, with or without a head', () => {
  assert.deepEqual(toLine(parseCsv('day,steps\nMon,4200\nTue,6100\n')), {
    title: 'steps',
    start: 1,
    labels: ['Mon', 'Tue'],
    values: [4200, 6100],
  });
  assert.deepEqual(toLine(parseCsv('Mon;1,5\nTue;-2')).values, [1.5, -2]);
});

test('what cannot be drawn is told by its line', () => {
  assert.throws(() => toLine(parseCsv('day,steps\nMon,4200\nTue,many\n')), /Line 3/);
  assert.throws(() => toLine(parseCsv('day,steps\nMon,\n')), /Line 2/);
  assert.throws(() => toLine(parseCsv('Mon,1')), /at least two/);
  assert.throws(() => toLine([]), /at least two/);
  assert.throws(() => toLine(Array.from({ length: 401 }, () => ['x', '1'])), /401 rows/);
});
