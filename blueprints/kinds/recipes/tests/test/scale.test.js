import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scale } from '../src/scale.js';

test('the amount of an ingredient is multiplied', () => {
  assert.equal(scale('200 g flour', 1.5, 'en'), '300 g flour');
  assert.equal(scale('1/2 onion', 3, 'en'), '1.5 onion');
  assert.equal(scale('1 ½ cups of milk', 2, 'en'), '3 cups of milk');
  assert.equal(scale('1,5 l Milch', 0.5, 'de'), '0,75 l Milch');
  assert.equal(scale('250g rice', 2, 'en'), '500g rice');
});

test('an ingredient without an amount stays as it is', () => {
  assert.equal(scale('salt and pepper', 3, 'en'), 'salt and pepper');
  assert.equal(scale('7up', 1, 'en'), '7up');
});
