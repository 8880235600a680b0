import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv, progress } from '../src/goal.js';
import { format, texts } from '../src/texts.js';

test('the progress counts down to the goal', () => {
  assert.equal(progress(30, 100), format(texts.toGoal, { left: 70 }));
  assert.equal(progress(99.5, 100), format(texts.toGoal, { left: 1 }));
  assert.equal(progress(100, 100), texts.goalReached);
  assert.equal(progress(50, 0), '');
});

test('sessions are exported in local time', () => {
  const end = new Date(2026, 0, 5, 9, 3).getTime();
  assert.equal(csv([{ name: 'Focus', minutes: 25, end }]), `${texts.columns}\r\n2026-01-05,09:03,Focus,25\r\n`);
});
