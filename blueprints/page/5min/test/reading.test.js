import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesToRead, wordsOf } from '../src/reading.js';

test('words are counted without what stands between them', () => {
  assert.deepEqual(wordsOf('Whales – the largest, by far – sing.'), ['Whales', 'the', 'largest', 'by', 'far', 'sing']);
  assert.deepEqual(wordsOf(' \n '), []);
});

test('reading takes whole minutes, and never none', () => {
  assert.equal(minutesToRead(0), 1);
  assert.equal(minutesToRead(220), 1);
  assert.equal(minutesToRead(1_100), 5);
});
