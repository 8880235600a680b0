import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intervals } from '../src/config.js';
import { byDay, streak } from '../src/history.js';

const at = (day, hour = 12) => new Date(2026, 2, day, hour).getTime();
const session = (day, minutes = 25) => ({ name: 'Focus', minutes, end: at(day) });

test('minutes count on the day on which a session ended', () => {
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

test('a streak ends with a missed day, but today may still follow', () => {
  assert.equal(streak([session(10), session(9), session(8), session(6)], at(10)), 3);
  assert.equal(streak([session(9), session(8)], at(10)), 2);
  assert.equal(streak([session(7)], at(10)), 0);
  assert.equal(streak([], at(10)), 0);
});

test('every interval has a unique id and a length', () => {
  assert.equal(new Set(intervals.map(({ id }) => id)).size, intervals.length);
  for (const { minutes } of intervals) assert.ok(minutes > 0);
});
