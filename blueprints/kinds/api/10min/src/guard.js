import { timingSafeEqual } from 'node:crypto';
import { HttpError } from './http.js';

const MINUTE = 60_000;
/** Bounds the memory: beyond this number, the addresses that were idle longest are evicted. */
const MOST_ADDRESSES = 10_000;

/** Compares two texts in constant time. */
function isSame(given, wanted) {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Returns a function that checks a request and throws HttpError when it is not allowed.
 * Callers that change data must send `key` as `authorization: Bearer …`; without a key everybody may.
 * `perMinute` is the number of requests an address may make in a minute. `now` returns the time in milliseconds.
 */
export function createGuard({ key, perMinute, now = Date.now }) {
  const windows = new Map();

  function count(address) {
    const window = windows.get(address);
    const current = window && now() < window.end ? window : { end: now() + MINUTE, requests: 0 };
    current.requests++;
    windows.delete(address);
    windows.set(address, current);
    if (windows.size > MOST_ADDRESSES) windows.delete(windows.keys().next().value);
    return current;
  }

  return (request) => {
    const { requests, end } = count(request.socket.remoteAddress ?? '');
    if (requests > perMinute) {
      throw new HttpError(429, 'Too many requests', { 'retry-after': String(Math.ceil((end - now()) / 1000)) });
    }
    if (!key || request.method === 'GET') return;
    const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!isSame(given, key)) throw new HttpError(401, 'Send the key: authorization: Bearer …', { 'www-authenticate': 'Bearer' });
  };
}
