import { timingSafeEqual } from 'node:crypto';
import { HttpError } from './http.js';

const MINUTE = 60_000;
/** More addresses than that are not remembered: the oldest are forgotten, so that memory stays small. */
const MOST_ADDRESSES = 10_000;

/** Whether two texts are the same, in a time that does not tell how much of them is. */
function isSame(given, wanted) {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * A check of every request to the API, which throws HttpError when it is not allowed.
 * `key` is what callers that change something must send as `authorization: Bearer …`; without one everybody may.
 * `perMinute` is how many requests one address may make in a minute. `now` is the time in milliseconds.
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
