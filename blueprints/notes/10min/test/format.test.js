import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginLines, link, surround } from '../src/format.js';

/** “a [b] c” as a text with its selection, and back. */
const read = (marked) => ({ text: marked.replace(/[[\]]/g, ''), start: marked.indexOf('['), end: marked.indexOf(']') - 1 });
const show = ({ text, start, end }) => `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`;

test('marks are put around the selection and taken away again', () => {
  assert.equal(show(surround(read('a [b] c'), '**')), 'a **[b]** c');
  assert.equal(show(surround(read('a **[b]** c'), '**')), 'a [b] c');
  assert.equal(show(surround(read('[]'), '`')), '`[]`');
});

test('whole lines get a sign, also when only a part is selected', () => {
  assert.equal(show(beginLines(read('one\nt[wo\nth]ree\nfour'), '- ')), 'one\n[- two\n- three]\nfour');
  assert.equal(show(beginLines(read('[- one\n- two]'), '- ')), '[one\ntwo]');
});

test('a link waits for its address', () => {
  assert.deepEqual(link({ text: 'see here', start: 4, end: 8 }), { text: 'see [here](https://)', start: 11, end: 19 });
});
