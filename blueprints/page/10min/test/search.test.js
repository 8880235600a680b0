import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placesOf } from '../src/search.js';

test('places are found whatever their case and accents', () => {
  assert.deepEqual(placesOf('ecole', 'L’École, une école'), [
    [2, 7],
    [13, 18],
  ]);
});

test('places do not overlap, and signs of two units count right', () => {
  assert.deepEqual(placesOf('aa', 'aaa'), [[0, 2]]);
  assert.deepEqual(placesOf('b', '🐋b'), [[2, 3]]);
});

test('nothing is found by nothing', () => {
  assert.deepEqual(placesOf('  ', 'text'), []);
  assert.deepEqual(placesOf('x', 'text…'), [[2, 3]]);
  assert.deepEqual(placesOf('longer than the text', 'text'), []);
});
