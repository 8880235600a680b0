import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromMarkdown, toMarkdown } from '../src/outline.js';
import { step } from '../src/steps.js';

const board = [['a', 'b', 'c'], ['d'], []];

test('up and down change places with a neighbour', () => {
  assert.deepEqual(step(board, 'b', 'ArrowUp'), { column: 0, before: 'a' });
  assert.deepEqual(step(board, 'a', 'ArrowDown'), { column: 0, before: 'c' });
  assert.deepEqual(step(board, 'b', 'ArrowDown'), { column: 0, before: undefined });
});

test('sideways a card keeps its height where it can', () => {
  assert.deepEqual(step(board, 'a', 'ArrowRight'), { column: 1, before: 'd' });
  assert.deepEqual(step(board, 'c', 'ArrowRight'), { column: 1, before: undefined });
});

test('at an edge nothing happens', () => {
  assert.equal(step(board, 'a', 'ArrowUp'), undefined);
  assert.equal(step(board, 'c', 'ArrowDown'), undefined);
  assert.equal(step(board, 'a', 'ArrowLeft'), undefined);
});

test('a board becomes Markdown and comes back', () => {
  const columns = [
    { name: 'To do', texts: ['one', 'two'] },
    { name: 'Done', texts: [] },
  ];
  assert.equal(toMarkdown(columns), '## To do\n\n- one\n- two\n\n## Done\n\n');
  assert.deepEqual(fromMarkdown(toMarkdown(columns)), [
    { name: 'To do', text: 'one' },
    { name: 'To do', text: 'two' },
  ]);
  assert.deepEqual(fromMarkdown('no heading\n1. [x] first'), [{ name: '', text: 'first' }]);
});
