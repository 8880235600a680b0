import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharesOf } from '../src/shares.js';

test('options without votes count as well', () => {
  assert.deepEqual(sharesOf({ b: 3, c: 1 }, ['a', 'b', 'c']), [
    { option: 'a', votes: 0, percent: 0 },
    { option: 'b', votes: 3, percent: 75 },
    { option: 'c', votes: 1, percent: 25 },
  ]);
});

test('nothing is divided by no votes', () => {
  assert.deepEqual(sharesOf({}, ['a']), [{ option: 'a', votes: 0, percent: 0 }]);
});
