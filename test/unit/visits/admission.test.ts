import { signAccess } from '../../../lambda/stored/page-access.ts';
import { admission } from '../../../lambda/visits/private-page.ts';
import { testRows } from '../../support/rows.ts';

const KEY = 'a2V5';
const NOW = 1_800_000_000_000;
const access = { type: 'link', key: KEY, until: NOW / 1_000 + 60 } as const;
const link = `ptp-link=${signAccess(KEY, 'link', access.until)}`;
const ask = (path: string, rawQuery: string, cookies: readonly string[] = [], now = NOW) =>
  admission(
    access,
    { id: 'abcdefghijkl', path, rawQuery, navigation: true },
    { cookies, baseUrl: 'https://ptp.example.com', secure: true },
    () => now,
  );

testRows([
  ['/', link, '/'],
  ['/a/', `x=1&${link}&y=%20`, '/a/?x=1&y=%20'],
  ['//evil.example/', link, '/evil.example/'],
  ['/\\evil.example/', link, '/evil.example/'],
  ['/', `${link}&ptp-closed=wrong`, '/'],
  // A program may encode any character of a name; the redirect would lead to itself.
  ['/', `${link.replace('-', '%2D')}&x=%20&%70tp-closed`, '/?x=%20'],
])('a link leads to the same page without its signature', (path, query, location) => {
  const response = ask(path, query);
  expect(response).toMatchObject({ status: 303, headers: { Location: location } });
  expect(response?.headers['Set-Cookie']).toMatch(
    /^__Host-ptp-access=[^;]+; Path=\/; Max-Age=60; HttpOnly; SameSite=Lax; Secure$/,
  );
});

testRows([
  [[`__Host-ptp-access=${signAccess(KEY, 'cookie', NOW / 1_000 + 1)}`], true],
  // Another page under the same domain set one.
  [['__Host-ptp-access=x', `__Host-ptp-access=${signAccess(KEY, 'cookie', NOW / 1_000 + 1)}`], true],
  [[`__Host-ptp-access=${signAccess(KEY, 'cookie', NOW / 1_000)}`], false],
  [[`__Host-ptp-access=${signAccess('b3RoZXI', 'cookie', NOW / 1_000 + 1)}`], false],
  [[`__Host-ptp-access=${signAccess(KEY, 'link', NOW / 1_000 + 1)}`], false],
  // On https, only the name that other hosts cannot set counts.
  [[`ptp-access=${signAccess(KEY, 'cookie', NOW / 1_000 + 1)}`], false],
  [[], false],
])('admits visitors with a cookie', (cookies, admitted) => {
  expect(ask('/', '', cookies) === undefined).toBe(admitted);
});

it('a link ends', () => {
  expect(ask('/', link, [], NOW + 59_999)?.status).toBe(303);
  expect(ask('/', link, [], NOW + 60_000)?.status).toBe(403);
});
