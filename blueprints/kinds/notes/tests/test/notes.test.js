import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, find, get, outline, remove, write } from '../src/notes.js';

test('notes are written, found by all their words, and removed', () => {
  const { id } = create();
  write(id, '# Zebra crossing\n\nblack and white');
  assert.deepEqual(find('WHITE zebra').map((note) => note.id), [id]);
  assert.deepEqual(find('zebra green'), []);
  remove(id);
  assert.equal(get(id), undefined);
});

test('the newest note comes first', () => {
  const { id } = create('newest');
  assert.equal(find()[0].id, id);
  remove(id);
});

test('the outline is the first two lines without their signs', () => {
  assert.deepEqual(outline({ text: '\n## A *title*\n\n- [x] done' }), { title: 'A title', summary: 'done' });
  assert.deepEqual(outline({ text: '' }), { title: 'Empty note', summary: 'No more text' });
});
