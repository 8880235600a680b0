import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ticks } from '../src/charts.js';
import { bars, line, ranges, units } from '../src/data.js';

test('the scale has round steps and spans the values', () => {
  for (const values of [[3, 17], [0.2, 0.9], [-4, 4], [1200, 98_000], [5, 5]]) {
    const scale = ticks(values);
    assert.ok(scale[0] <= Math.min(...values) && scale.at(-1) >= Math.max(...values), String(values));
    assert.ok(scale.length >= 1 && scale.length <= 8, String(scale));
  }
});

test('the data has a label for each value', () => {
  assert.equal(line.labels.length, line.values.length);
  assert.ok(line.start < line.values.length);
  assert.equal(bars.labels.length, bars.values.length);
  for (const { low, high } of ranges) assert.ok(low <= high);
  assert.ok(units.length > 0);
});
