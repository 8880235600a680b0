import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matches } from '../src/filter.js';
import { describe, limitOf, setLimit } from '../src/limits.js';

test('a limit says when a column is full and when it is over', () => {
  assert.deepEqual(describe(4, undefined), { label: '4', state: 'free' });
  assert.deepEqual(describe(1, 2), { label: '1 of 2', state: 'free' });
  assert.deepEqual(describe(2, 2), { label: '2 of 2', state: 'full' });
  assert.deepEqual(describe(3, 2), { label: '3 of 2', state: 'over' });
});

test('limits are set for each column and taken away', () => {
  setLimit(0, 3);
  setLimit(1, 2);
  setLimit(0, 0);
  assert.equal(limitOf(0), undefined);
  assert.equal(limitOf(1), 2);
});

test('the filter wants all words, in any order, case and accent', () => {
  assert.ok(matches('Déjà vu in Paris', 'paris deja'));
  assert.ok(matches('anything', '  '));
  assert.ok(!matches('Paris', 'paris rome'));
});
