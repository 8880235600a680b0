import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intervals } from '../src/config.js';
import { byDay, streak } from '../src/history.js';

const at = (day, hour = 12) => new Date(2026, 2, day, hour).getTime();
const session = (day, minutes = 25) => ({ name: 'Focus', minutes, end: at(day) });

test('minutes are counted on the day they ended, in the order of the days', () => {
  const days = byDay([session(8, 10), session(10), session(10, 5), session(1)], 3, at(10, 23));
  assert.deepEqual(
    days.map(({ minutes, count }) => [minutes, count]),
    [
      [10, 1],
      [0, 0],
      [30, 2],
    ],
  );
  assert.equal(days[2].start, at(10, 0));
});

test('a row of days goes on until one is missed, and today may still come', () => {
  assert.equal(streak([session(10), session(9), session(8), session(6)], at(10)), 3);
  assert.equal(streak([session(9), session(8)], at(10)), 2);
  assert.equal(streak([session(7)], at(10)), 0);
  assert.equal(streak([], at(10)), 0);
});

test('every interval has a name of its own and some time', () => {
  assert.equal(new Set(intervals.map(({ id }) => id)).size, intervals.length);
  for (const { minutes } of intervals) assert.ok(minutes > 0);
});
