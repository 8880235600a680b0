import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTags, linesOf, tagsOf } from '../src/tags.js';

test('tags are words after a number sign', () => {
  assert.deepEqual(tagsOf('Call Ana #Phone #phone, about #plan-b'), ['phone', 'plan-b']);
  assert.deepEqual(tagsOf('#1 is not C# nor a&#b; #été is'), ['1', 'été']);
  assert.deepEqual(tagsOf('nothing'), []);
});

test('tags count open entries', () => {
  const entries = [
    { text: 'a #home', done: false },
    { text: 'b #home #away', done: true },
  ];
  assert.deepEqual(countTags(entries), [
    ['away', 0],
    ['home', 1],
  ]);
});

test('a pasted list is split into lines', () => {
  assert.deepEqual(linesOf('- milk\r\n\n2. eggs\n- [ ] bread\n* 3 lemons'), ['milk', 'eggs', 'bread', '3 lemons']);
});
