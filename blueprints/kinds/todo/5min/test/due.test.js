import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayOf, describe } from '../src/due.js';
import { lang, texts } from '../src/texts.js';

test('days continue across the end of months and years', () => {
  assert.equal(dayOf(new Date(2026, 11, 31, 23, 59)), '2026-12-31');
  assert.equal(dayOf(new Date(2026, 11, 31), 1), '2027-01-01');
  assert.equal(dayOf(new Date(2028, 1, 28), 1), '2028-02-29');
});

test('nearby days are named, others written out', () => {
  assert.deepEqual(describe('2026-03-31', '2026-03-31'), { label: texts.today, state: 'today' });
  assert.deepEqual(describe('2026-04-01', '2026-03-31'), { label: texts.tomorrow, state: 'later' });
  assert.deepEqual(describe('2026-03-30', '2026-03-31'), { label: texts.yesterday, state: 'past' });
  const tuesday = new Intl.DateTimeFormat(lang, { weekday: 'short' }).format(new Date(2026, 3, 7));
  const { label } = describe('2026-04-07', '2026-03-31');
  assert.ok(label.includes(tuesday) && label.includes('7'), label);
});
