import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluate, format } from '../src/evaluate.js';
import { texts } from '../src/texts.js';

const VALUES = [
  ['2 + 3 × 4', 14],
  ['(2 + 3) × 4', 20],
  ['12.5×(4+1)', 62.5],
  ['8 ÷ 4 ÷ 2', 1],
  ['2^3^2', 512],
  ['−2^2', -4],
  ['−5 − −3', -2],
  ['2π', 2 * Math.PI],
  ['3(4+1)', 15],
  ['√(16)+1', 5],
  ['(1+2', 3],
];

test('expressions have the value that mathematics gives them', () => {
  for (const [text, value] of VALUES) assert.equal(evaluate(text), value, text);
});

test('a percentage applies to the value before it', () => {
  assert.equal(evaluate('200 + 10%'), 220);
  assert.equal(evaluate('200 − 10%'), 180);
  assert.equal(evaluate('50% × 80'), 40);
});

test('an invalid expression is rejected', () => {
  for (const text of ['', '+', '2 +', '(', '2..5', '1 2', 'sin', 'alert(1)']) {
    assert.throws(() => evaluate(text), SyntaxError, text);
  }
});

test('results have no floating-point noise', () => {
  assert.equal(format(0.1 + 0.2), '0.3');
  assert.equal(format(-1 / 3), '−0.333333333333');
  assert.equal(format(1e23), '1×10^23');
  assert.equal(format(1 / 0), texts.zero);
});
