import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dailyWalls, isFair } from '../src/daily.js';

test('a day has one field, and the next day another', () => {
  const monday = new Date(2026, 4, 4);
  assert.deepEqual(dailyWalls(monday), dailyWalls(new Date(2026, 4, 4, 23)));
  assert.notDeepEqual(dailyWalls(monday), dailyWalls(new Date(2026, 4, 5)));
});

test('no day has a trap', () => {
  for (let day = 0; day < 60; day++) {
    const walls = dailyWalls(new Date(2026, 0, 1 + day));
    assert.equal(walls.length, 26);
    assert.ok(isFair(walls));
    assert.ok(walls.every(({ y }) => y !== 10));
  }
});

test('a dead end is a trap', () => {
  assert.equal(isFair([]), true);
  assert.equal(isFair([{ x: 1, y: 0 }]), false);
});
