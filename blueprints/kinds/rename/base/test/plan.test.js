import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure, plan } from '../src/plan.js';

const files = ['a b.JPG', 'c d.txt', '.hidden', 'e.jpg'].map((name) => ({ name, isFile: true, modified: new Date(2026, 0, 9) }));
const names = (options) => plan(files, options).map(({ to }) => to);

test('texts and regular expressions are replaced, extensions stay', () => {
  assert.deepEqual(names({ replace: [' '], with: '-' }), ['a-b.JPG', 'c-d.txt']);
  assert.deepEqual(names({ replace: ['(\\w) (\\w)'], with: '$2$1', regex: true }), ['ba.JPG', 'dc.txt']);
  assert.deepEqual(names({ replace: [' '], with: '$&' }), ['a$&b.JPG', 'c$&d.txt']);
});

test('patterns have names, numbers and dates', () => {
  assert.deepEqual(names({ to: '{date} {n:3} {name}', only: 'jpg' }), ['2026-01-09 001 a b.JPG', '2026-01-09 002 e.jpg']);
  assert.deepEqual(names({ case: 'title' }), ['A B.JPG', 'C D.txt', 'E.jpg']);
});

test('conflicts and impossible names stop the plan', () => {
  assert.throws(() => names({ to: 'same', only: 'jpg' }), /another file has this name/);
  assert.throws(() => names({ replace: ['a b'], with: 'E', only: 'JPG' }), Failure);
  assert.throws(() => names({ to: '../{n}' }), Failure);
  assert.throws(() => names({ case: 'camel' }), /lower, upper, title/);
});

test('a table names files', () => {
  assert.deepEqual(names({ table: new Map([['e.jpg', 'x.jpg']]) }), ['x.jpg']);
});
