import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCalendar } from '../src/calendar.js';
import { beginOf } from '../src/event.js';

const when = { month: 6, day: 12, hour: 15, minute: 30 };

test('an event without a year is on the next such day', () => {
  assert.equal(beginOf(when, new Date(2027, 5, 12, 15, 29)).getFullYear(), 2027);
  assert.equal(beginOf(when, new Date(2027, 5, 12, 15, 31)).getFullYear(), 2028);
  assert.equal(beginOf({ ...when, year: 2020 }).getFullYear(), 2020);
});

test('a calendar file has local times, escaped texts and short lines', () => {
  const file = toCalendar({ title: 'Ana, Ben; more', place: 'ü'.repeat(80) }, beginOf({ ...when, year: 2027 }));
  assert.match(file, /\r\nDTSTART:20270612T153000\r\n/);
  assert.match(file, /\r\nSUMMARY:Ana\\, Ben\\; more\r\n/);
  for (const line of file.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line);
  assert.ok(file.replaceAll('\r\n ', '').includes(`LOCATION:${'ü'.repeat(80)}\r\n`));
});
