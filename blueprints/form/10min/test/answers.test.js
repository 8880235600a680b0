import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv } from '../src/answers.js';
import { parseCsv } from '../src/csv.js';
import { fields } from '../src/rules.js';

test('answers become a table with a column for each field that may be kept', () => {
  const kept = fields.filter(({ type }) => type !== 'password');
  const answer = { at: 0, ...Object.fromEntries(fields.map(({ id }) => [id, `value of ${id}, with a comma`])) };
  const [head, row] = parseCsv(csv([answer]));
  assert.deepEqual(head, ['sent at', ...kept.map(({ label }) => label)]);
  assert.deepEqual(row, ['1970-01-01T00:00:00.000Z', ...kept.map(({ id }) => answer[id])]);
});
