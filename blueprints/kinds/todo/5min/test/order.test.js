import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moveBeside, moveBy } from '../src/order.js';

const list = [...'abcd'].map((id) => ({ id, done: id === 'b' }));
const ids = (entries) => entries.map(({ id }) => id).join('');
const everything = () => true;

test('an entry moves beside another', () => {
  assert.equal(ids(moveBeside(list, 'a', 'c', 'after')), 'bcad');
  assert.equal(ids(moveBeside(list, 'd', 'a', 'before')), 'dabc');
  assert.equal(moveBeside(list, 'a', 'nobody', 'after'), list);
});

test('steps stop at both ends', () => {
  assert.equal(ids(moveBy(list, 'b', -1, everything)), 'bacd');
  assert.equal(ids(moveBy(list, 'b', 1, everything)), 'acbd');
  assert.equal(moveBy(list, 'a', -1, everything), list);
  assert.equal(moveBy(list, 'd', 1, everything), list);
});

test('a step skips hidden entries', () => {
  const open = ({ done }) => !done;
  assert.equal(ids(moveBy(list, 'a', 1, open)), 'bcad');
});
