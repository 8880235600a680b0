import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addToMemory, recall, remember } from '../src/memory.js';

test('the memory sums up, and is cleared to zero', () => {
  remember(0);
  addToMemory(12.5);
  addToMemory(-2);
  assert.equal(recall(), 10.5);
  remember(0);
  assert.equal(recall(), 0);
});

test('what is no number does not spoil it', () => {
  remember(3);
  for (const value of [undefined, Number.NaN, Number.POSITIVE_INFINITY]) addToMemory(value);
  assert.equal(recall(), 3);
});
