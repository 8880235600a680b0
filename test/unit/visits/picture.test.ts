import type { Deployment } from '../../../lambda/stored/deployment.ts';
import { picture, picturedId } from '../../../lambda/visits/picture.ts';
import type { SiteStore } from '../../../lambda/visits/site-store.ts';
import { aDeployment, aVersion } from '../../support/a-deployment.ts';
import { testRows } from '../../support/rows.ts';

const ID = 'abcdefghijkl';
const DEPLOYMENT = aDeployment({ id: ID, live: 'v2', versions: [aVersion('v3'), aVersion('v2'), aVersion('v1')] });
/** Only `v1` and `v2` were looked at; a picture says of what it is. */
const look: SiteStore['look'] = async (_, name) =>
  name === 'v3'
    ? undefined
    : {
        state: 'looked',
        problems: [],
        screenshots: new Map([
          [390, Buffer.from(`${name} at 390`)],
          [1280, Buffer.from(`${name} at 1280`)],
        ]),
      };
const ask = async (rawQuery: string, found: Deployment | undefined = DEPLOYMENT, ifNoneMatch?: string) => {
  const response = await picture({ id: ID, rawQuery, conditions: { ifNoneMatch } }, async () => found, look);
  return { ...response, text: Buffer.from(response.body).toString() };
};

testRows([
  ['', 200, 'v2 at 1280'],
  ['width=390', 200, 'v2 at 390'],
  ['width=1281', 400, 'The width is 390 or 1280'],
  ['width=', 400, 'The width is 390 or 1280'],
  ['version=v0', 404, 'There is no picture'],
  ['version=__proto__', 404, 'There is no picture'],
])('responds with the picture that the query names', async (query, status, text) => {
  const response = await ask(query);
  expect([response.status, response.text]).toEqual([status, expect.stringContaining(text)]);
  expect(response.headers).toMatchObject({ 'X-Content-Type-Options': 'nosniff', 'cache-tag': `site-${ID}` });
  const isPicture = status === 200;
  expect(response.headers['Content-Type']).toBe(isPicture ? 'image/png' : 'text/html; charset=utf-8');
  expect(response.headers['Cache-Control']).toBe(
    isPicture ? 'public, max-age=0, s-maxage=0, stale-if-error=0' : 'no-store',
  );
});

testRows([
  [undefined, 404],
  [{ ...DEPLOYMENT, deletedAt: 2 }, 410],
  [{ ...DEPLOYMENT, takenDown: { at: 2 } }, 451],
])('hides the pictures of a deployment that visitors do not see', async (found, status) => {
  const answer = (rawQuery: string, ifNoneMatch?: string) =>
    picture({ id: ID, rawQuery, conditions: { ifNoneMatch } }, async () => found as Deployment | undefined, look);
  for (const query of ['', 'width=390', 'version=v1'])
    for (const condition of [undefined, '"v1-1280"', '"v2-390"'])
      expect((await answer(query, condition)).status).toBe(status);
});

it('revalidates by the version and the width', async () => {
  const { headers } = await ask('width=390');
  const again = await ask('width=390', DEPLOYMENT, headers.ETag);
  expect([again.status, again.text, again.headers.ETag]).toEqual([304, '', headers.ETag]);
  expect((await ask('', DEPLOYMENT, headers.ETag)).status).toBe(200);
  expect((await ask('width=390', { ...DEPLOYMENT, live: 'v1' }, headers.ETag)).text).toBe('v1 at 390');
  expect((await ask('version=v3', DEPLOYMENT, '*')).status).toBe(404);
});

testRows([
  [`/d/${ID}.png`, ID],
  [`/d/${ID}/a.png`, undefined],
])('finds the id in a path', (path, id) => {
  expect(picturedId(path)).toBe(id);
});

it('has no picture of a version that is held, live or not', async () => {
  const gate = { points: 60, reasons: [] };
  const bounds = { anonymousPoints: 50, keyPoints: 100 };
  const found = {
    ...DEPLOYMENT,
    versions: DEPLOYMENT.versions.map((one) => (one.version === 'v3' ? one : { ...one, gate })),
  };
  const statusOf = async (live: string, rawQuery: string) =>
    (await picture({ id: ID, rawQuery, conditions: {} }, async () => ({ ...found, live }), look, bounds)).status;
  expect([await statusOf('v2', ''), await statusOf('v3', 'version=v1')]).toEqual([403, 404]);
});
