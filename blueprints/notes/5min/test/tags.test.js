import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join, split } from '../src/collection.js';
import { countTags } from '../src/tags.js';

test('tags are counted once for each note, the most frequent first', () => {
  assert.deepEqual(countTags(['#work and #work', 'a #Work #home', 'nothing']), [
    ['work', 2],
    ['home', 1],
  ]);
});

test('headings, code and addresses are no tags', () => {
  assert.deepEqual(countTags(['# Title', 'C#, a#b, /page#part', '`#code`', '```\n#include\n```']), []);
});

test('notes go into one file and come back', () => {
  const texts = ['# One\n\ntext', 'Two\n\n---\n\nstill two'];
  assert.deepEqual(split(join(texts)), texts);
  assert.deepEqual(split('just one\r\nnote'), ['just one\nnote']);
  assert.deepEqual(split(''), []);
});
