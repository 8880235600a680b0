import assert from 'node:assert/strict';
import { test } from 'node:test';
import { categoriesOf, neighbour } from '../src/gallery.js';

test('categories are named once, in the order of the work', () => {
  const projects = ['B', 'A', 'B'].map((category) => ({ category }));
  assert.deepEqual(categoriesOf(projects), ['B', 'A']);
  assert.deepEqual(categoriesOf([]), []);
});

test('after the last project comes the first', () => {
  assert.equal(neighbour(0, 1, 3), 1);
  assert.equal(neighbour(2, 1, 3), 0);
  assert.equal(neighbour(0, -1, 3), 2);
  assert.equal(neighbour(0, 1, 1), 0);
});
