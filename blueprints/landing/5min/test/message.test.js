import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailTo, problemsOf } from '../src/message.js';

const good = { name: 'Ana', email: 'ana@example.com', message: 'Do you open on Sundays?' };

test('a whole message has no problems', () => {
  assert.deepEqual(problemsOf(good), {});
});

test('each field says what it lacks', () => {
  assert.deepEqual(Object.keys(problemsOf({ name: ' ', email: 'ana@', message: 'Hi' })), ['name', 'email', 'message']);
  for (const email of ['', 'ana', 'ana@example', 'a b@example.com']) {
    assert.ok(problemsOf({ ...good, email }).email, email);
  }
});

test('nothing that is written can leave its part of the address', () => {
  const url = new URL(mailTo('hello@example.com', { ...good, message: 'a&cc=eve@example.com\nb?' }));
  assert.equal(url.pathname, 'hello@example.com');
  assert.deepEqual([...url.searchParams.keys()], ['subject', 'body']);
  assert.match(url.searchParams.get('body'), /^a&cc=eve@example\.com\r\nb\?\r\n\r\nAna/);
});
