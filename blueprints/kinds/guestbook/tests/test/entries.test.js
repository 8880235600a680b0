import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGE, withNewest, withOlder } from '../src/entries.js';

/** Entries from a number down to another one, both included; the higher the newer. */
const entries = (from, to) =>
  Array.from({ length: from - to + 1 }, (_, i) => ({ id: from - i, createdAt: `2026-01-01T00:${100 + from - i}` }));

test('a new page takes the place of what it covers', () => {
  assert.deepEqual(withNewest(entries(3, 1), []), entries(3, 1));
  assert.deepEqual(withNewest([...entries(3, 3), ...entries(1, 1)], entries(2, 1)), [...entries(3, 3), ...entries(1, 1)]);
});

test('older entries that were loaded stay', () => {
  const newest = entries(PAGE + 20, 21);
  assert.deepEqual(withNewest(newest, entries(PAGE + 19, 1)), entries(PAGE + 20, 1));
  assert.deepEqual(withOlder(entries(9, 5), entries(6, 1)), entries(9, 1));
});
