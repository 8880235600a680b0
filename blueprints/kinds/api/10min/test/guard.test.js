import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGuard } from '../src/guard.js';

const request = (method, authorization, remoteAddress = '192.0.2.1') => ({
  method,
  headers: authorization ? { authorization } : {},
  socket: { remoteAddress },
});

test('changes require the key, reading does not', () => {
  const guard = createGuard({ key: 'secret', perMinute: 100 });
  guard(request('GET'));
  guard(request('POST', 'Bearer secret'));
  for (const wrong of [undefined, 'Bearer secret2', 'Bearer ', 'secret', 'Basic secret']) {
    assert.throws(() => guard(request('DELETE', wrong)), { status: 401 });
  }
});

test('without a key everybody may change data', () => {
  createGuard({ key: undefined, perMinute: 1 })(request('POST'));
});

test('an address may make a number of requests in each minute', () => {
  let time = 0;
  const guard = createGuard({ perMinute: 2, now: () => time });
  guard(request('GET'));
  guard(request('GET'));
  guard(request('GET', undefined, '192.0.2.2'));
  time = 20_000;
  assert.throws(() => guard(request('GET')), { status: 429, headers: { 'retry-after': '40' } });
  time = 60_000;
  guard(request('GET'));
});
