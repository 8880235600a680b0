import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currentIndex } from '../src/sections.js';

test('the section that reached the line last is being read', () => {
  assert.equal(currentIndex([-400, 120, 900], 200), 1);
  assert.equal(currentIndex([-900, -400, 10], 200), 2);
});

test('above the first section none is', () => {
  assert.equal(currentIndex([500, 900], 200), -1);
  assert.equal(currentIndex([], 200), -1);
});
