import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, columns, get, inColumn, move, remove, rename } from '../src/cards.js';

const texts = (column) => inColumn(column).map(({ text }) => text);
const last = columns.length - 1;
for (const column of columns.keys()) for (const { id } of inColumn(column)) remove(id);

test('cards are added, renamed and removed', () => {
  add(0, 'one');
  const [{ id }] = inColumn(0);
  rename(id, 'first');
  assert.equal(get(id).text, 'first');
  remove(id);
  assert.deepEqual(texts(0), []);
});

test('a card moves above another or to the end of a column', () => {
  for (const text of ['a', 'b', 'c']) add(0, text);
  const [a, b, c] = inColumn(0);
  move(c.id, 0, a.id);
  assert.deepEqual(texts(0), ['c', 'a', 'b']);
  move(c.id, 0);
  assert.deepEqual(texts(0), ['a', 'b', 'c']);
  move(b.id, last);
  assert.deepEqual(texts(0), ['a', 'c']);
  assert.deepEqual(texts(last), ['b']);
  move(a.id, 0, a.id);
  assert.deepEqual(texts(0), ['a', 'c']);
});

test('a card of a removed column is in the last one', () => {
  add(99, 'lost');
  assert.ok(texts(last).includes('lost'));
});
