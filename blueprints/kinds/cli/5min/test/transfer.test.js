import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../src/entries.js';
import { fromText, toText } from '../src/transfer.js';

test('a CSV file needs a column for the text', () => {
  const books = [
    { text: 'Emma', done: false },
    { text: 'Dune', done: false },
  ];
  assert.deepEqual(fromText('\uFEFFyear;text\r\n1815;Emma\r\n1965;Dune\r\n', '.csv'), books);
  assert.throws(() => fromText('title,year\nEmma,1815\n', '.csv'), /one of them must be “text”/);
});

test('formulas are escaped in CSV and survive a round trip', () => {
  const entries = [{ text: '=SUM(1)', done: true }];
  assert.equal(toText(entries, '.csv'), "text,done\r\n'=SUM(1),true\r\n");
  assert.deepEqual(fromText(toText(entries, '.csv'), '.csv'), entries);
});

test('an imported entry is one line and never empty', () => {
  assert.deepEqual(fromText('[{ "text": " two\\n lines " }, { "text": " " }]', '.json'), [{ text: 'two lines', done: false }]);
  for (const wrong of ['[null]', '{}', '[{ "text": 1 }]', '[']) assert.throws(() => fromText(wrong, '.json'), Failure);
});
