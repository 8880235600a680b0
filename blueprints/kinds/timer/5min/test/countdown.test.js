import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { clock, Countdown } from '../src/countdown.js';

test('the countdown follows the clock, however rarely it is read', () => {
  mock.timers.enable({ apis: ['Date'], now: 0 });
  const countdown = new Countdown();
  countdown.set(10_000);
  countdown.start();
  mock.timers.tick(4_000);
  assert.equal(countdown.left, 6_000);
  mock.timers.tick(60_000);
  assert.equal(countdown.left, 0);
  mock.timers.reset();
});

test('a pause keeps the time left', () => {
  mock.timers.enable({ apis: ['Date'], now: 0 });
  const countdown = new Countdown();
  countdown.set(10_000);
  countdown.start();
  mock.timers.tick(1_500);
  countdown.pause();
  mock.timers.tick(60_000);
  assert.equal(countdown.running, false);
  assert.equal(countdown.left, 8_500);
  mock.timers.reset();
});

test('times are formatted as on a clock', () => {
  assert.equal(clock(1_500_000), '25:00');
  assert.equal(clock(59_001), '01:00');
  assert.equal(clock(5_400_000), '1:30:00');
  assert.equal(clock(0), '00:00');
});
