import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Clock } from '../src/clock.js';
import { compare, withRound } from '../src/results.js';

const round = (score) => ({ score, of: 10 });

test('a round is compared with the ones before it', () => {
  assert.equal(compare([round(5)]), '');
  assert.equal(compare([round(9), round(8)]), 'Your best round so far.');
  assert.equal(compare([round(6), round(8), round(2)]), 'Better than your average.');
  assert.equal(compare([round(1), round(8), round(2)]), 'Your average is 50 %.');
});

test('only so many rounds are kept, the newest first', () => {
  let rounds = [];
  for (let score = 0; score < 60; score++) rounds = withRound(rounds, round(score));
  assert.equal(rounds.length, 50);
  assert.equal(rounds[0].score, 59);
});

test('the clock ends once, and not after it was stopped', () => {
  mock.timers.enable({ apis: ['Date', 'setInterval'] });
  const seen = [];
  const clock = new Clock();
  clock.start(2, (left) => seen.push(left), () => seen.push('end'));
  mock.timers.tick(5_000);
  assert.equal(seen.filter((entry) => entry === 'end').length, 1);
  assert.equal(seen[0], 2);
  clock.start(2, () => {}, () => seen.push('late'));
  clock.stop();
  mock.timers.tick(5_000);
  assert.ok(!seen.includes('late'));
  mock.timers.reset();
});
