import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../src/entries.js';
import { fromText, toText } from '../src/transfer.js';

test('a table of another program needs a column for the text', () => {
  const books = [
    { text: 'Emma', done: false },
    { text: 'Dune', done: false },
  ];
  assert.deepEqual(fromText('\uFEFFyear;text\r\n1815;Emma\r\n1965;Dune\r\n', '.csv'), books);
  assert.throws(() => fromText('title,year\nEmma,1815\n', '.csv'), /one of them “text”/);
});

test('what a spreadsheet would run is made harmless for it, and comes back as it was', () => {
  const entries = [{ text: '=SUM(1)', done: true }];
  assert.equal(toText(entries, '.csv'), "text,done\r\n'=SUM(1),true\r\n");
  assert.deepEqual(fromText(toText(entries, '.csv'), '.csv'), entries);
});

test('an entry is one line, and something', () => {
  assert.deepEqual(fromText('[{ "text": " two\\n lines " }, { "text": " " }]', '.json'), [{ text: 'two lines', done: false }]);
  for (const wrong of ['[null]', '{}', '[{ "text": 1 }]', '[']) assert.throws(() => fromText(wrong, '.json'), Failure);
});
