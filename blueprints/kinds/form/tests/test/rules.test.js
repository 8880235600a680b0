import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fields, problemWith } from '../src/rules.js';
import { format, texts } from '../src/texts.js';

const field = (type, optional = false) => ({ id: 'f', label: 'It', type, optional });

test('a required field must have a value, an optional one may be empty', () => {
  assert.equal(problemWith(field('text'), '  '), format(texts.missing, { label: 'It' }));
  assert.equal(problemWith(field('email', true), ''), '');
  assert.equal(problemWith(field('text'), 'Ana'), '');
});

test('each type of value has a rule', () => {
  const cases = {
    email: [['ana@example.com'], ['ana', 'ana@', 'a b@example.com', 'ana@example']],
    tel: [['+49 (0)30 123-456'], ['12345', 'call me']],
    url: [['https://example.com/x'], ['example.com']],
    number: [['3', '-1.5'], ['three']],
    password: [['correct horse'], ['short']],
  };
  for (const [type, [good, bad]] of Object.entries(cases)) {
    for (const value of good) assert.equal(problemWith(field(type), value), '', `${type} ${value}`);
    for (const value of bad) assert.notEqual(problemWith(field(type), value), '', `${type} ${value}`);
  }
});

test('every field has a label and a unique id', () => {
  assert.equal(new Set(fields.map(({ id }) => id)).size, fields.length);
  for (const { label } of fields) assert.ok(label);
});
