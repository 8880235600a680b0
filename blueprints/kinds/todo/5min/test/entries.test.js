import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, all, change, clearDone, remove, replace } from '../src/entries.js';

const texts = () => all().map(({ text }) => text);

test('entries are added to the end, changed and removed', () => {
  replace([]);
  add('One');
  add('Two');
  const [one, two] = all();
  assert.notEqual(one.id, two.id);
  change(one.id, { text: 'First' });
  assert.deepEqual(texts(), ['First', 'Two']);
  remove(two.id);
  assert.deepEqual(texts(), ['First']);
});

test('clearing removes only completed entries and can be undone', () => {
  replace([]);
  add('One');
  add('Two');
  change(all()[0].id, { done: true });
  const before = all();
  clearDone();
  assert.deepEqual(texts(), ['Two']);
  replace(before);
  assert.deepEqual(texts(), ['One', 'Two']);
});
