import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv, progress } from '../src/goal.js';

test('the progress counts down to the goal', () => {
  assert.equal(progress(30, 100), '70 min to the goal');
  assert.equal(progress(99.5, 100), '1 min to the goal');
  assert.equal(progress(100, 100), 'goal reached');
  assert.equal(progress(50, 0), '');
});

test('sessions are exported in local time', () => {
  const end = new Date(2026, 0, 5, 9, 3).getTime();
  assert.equal(csv([{ name: 'Focus', minutes: 25, end }]), 'date,end,interval,minutes\r\n2026-01-05,09:03,Focus,25\r\n');
});
