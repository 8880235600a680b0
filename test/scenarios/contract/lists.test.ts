import { newCaller, type TestResponse } from '../../support/cloud/client.ts';
import { until } from '../../support/cloud/events.ts';
import { newKey } from '../../support/cloud/keys.ts';
import { newToken } from '../../support/cloud/tokens.ts';
import { testRows } from '../../support/rows.ts';

type Headers = Record<string, string>;

const GENERATIONS = '/api/v1/generations';
const DEPLOYMENTS = '/api/v1/deployments';
const ASSETS = '/api/v1/assets/user-assets/';
const LISTS = [GENERATIONS, DEPLOYMENTS, ASSETS] as const;
type List = (typeof LISTS)[number];

const owner = async (): Promise<Headers> => ({ 'x-api-key': await newKey('--limit', '1000') });
const idOf = (item: { id?: string; asset_id?: string }) => String(item.id ?? item.asset_id);
const ids = ({ json }: TestResponse): string[] => json.items.map(idOf);

/** Creates a resource of a list and returns its id. */
async function create(list: List, headers: Headers, text = 'text'): Promise<string> {
  const { post } = newCaller();
  const files = [{ path: 'index.html', content: `<title>${text}</title>` }];
  const generation = { prompt: text, model: 'provider-d' };
  const answers = {
    [GENERATIONS]: () => post('/api/v1/generate', generation, { ...headers, prefer: 'respond-async' }),
    [DEPLOYMENTS]: () => post('/api/v1/deploy', { files, projectId: text }, headers),
    [ASSETS]: () => post(ASSETS, { attributes: { name: text, size: 9 } }, headers),
  };
  return idOf((await answers[list]()).json);
}

/** Returns the ids of all pages, by their links, and calls `between` after each page. */
async function pages(first: string, headers: Headers, between = async () => {}): Promise<string[][]> {
  const read: string[][] = [];
  const { send } = newCaller();
  for (let path: string | undefined = first; path !== undefined; ) {
    const answer: TestResponse = await send(path, { headers });
    expect(answer.status).toBe(200);
    read.push(ids(answer));
    const link = /^<(.*)>; rel="next"$/.exec(String(answer.headers.link))?.[1];
    const { nextCursor } = answer.json;
    expect(link === undefined ? null : new URL(link).searchParams.get('cursor')).toBe(nextCursor);
    path = link && new URL(link).pathname + new URL(link).search;
    await between();
  }
  return read;
}

describe.each(LISTS)('GET %s', (list) => {
  it('returns the caller’s resources, newest first, as they are now, and nobody else’s', async () => {
    const [mine, theirs] = [await owner(), await owner()];
    const created = [await create(list, mine, 'one'), await create(list, mine, 'two')];
    const other = await create(list, theirs);
    if (list !== ASSETS) await create(list, {}, `anonymous-${Date.now()}`);
    const { send } = newCaller();
    const listed = (headers: Headers) => send(list, { headers });
    await until(async () => ids(await listed(mine)).length === 2);
    await until(async () => ids(await listed(theirs)).length === 1);
    const answer = await listed(mine);
    expect(answer.json).toEqual({ items: expect.any(Array), nextCursor: null });
    expect(answer.headers.link).toBeUndefined();
    expect(ids(answer)).toEqual(created.toReversed());
    expect(ids(await listed(theirs))).toEqual([other]);
    // Keys of one owner have the same list; a new owner has none.
    expect((await listed(await owner())).json).toEqual({ items: [], nextCursor: null });
    for (const item of answer.json.items) {
      const prefix = list.replace(/\/?$/, '/');
      const whole = (await send(`${prefix}${idOf(item)}${list === ASSETS ? '/' : ''}`, { headers: mine }))
        .json;
      const { fileCount: _, ...fields } = item;
      // A generation may have gone on in the meantime.
      const stable = ({ status: _, finishedAt: __, matched: ___, ...rest }: Record<string, unknown>) => rest;
      if (list === GENERATIONS) expect(whole).toMatchObject(stable(fields));
      else expect(whole).toMatchObject(item);
      const long = ['versions', 'attempts', 'plan', 'files', 'problems', 'download_url'];
      expect(Object.keys(item).filter((name) => long.includes(name))).toEqual([]);
    }
  });

  it('pages with limit and cursor', async () => {
    const mine = await owner();
    const created: string[] = [];
    for (let i = 0; i < 5; i++) created.unshift(await create(list, mine, `text-${i}`));
    await until(async () => ids(await newCaller().send(list, { headers: mine })).length === 5);
    expect(await pages(`${list}?limit=2`, mine)).toEqual([
      created.slice(0, 2),
      created.slice(2, 4),
      created.slice(4),
    ]);
    const { json, headers } = await newCaller().send(`${list}?limit=2`, { headers: mine });
    expect(headers['access-control-expose-headers']).toMatch(/\bLink\b/);
    const rest = await newCaller().send(`${list}?limit=100&cursor=${json.nextCursor}`, { headers: mine });
    expect([ids(rest), rest.json.nextCursor]).toEqual([created.slice(2), null]);
  });

  it('rejects a cursor of another caller or list, or none at all, and says what to do', async () => {
    const mine = await owner();
    for (const text of ['a', 'b']) await create(list, mine, text);
    const first = () => newCaller().send(`${list}?limit=1`, { headers: mine });
    await until(async () => (await first()).json.nextCursor !== null);
    const { nextCursor: cursor } = (await first()).json;
    const another = LISTS.find((other) => other !== list) ?? '';
    const position = Buffer.from(cursor, 'base64url').toString();
    const forged = Buffer.from(position.replace(/\[\d/, '[9')).toString('base64url');
    const theirs = await owner();
    for (const [path, sent, headers] of [
      [list, cursor, theirs],
      [another, cursor, mine],
      [list, forged, mine],
      [list, cursor.slice(1), mine],
      [list, 'null', mine],
      [list, '', mine],
    ] as const) {
      const answer = await newCaller().send(`${path}?cursor=${sent}`, { headers });
      expect(answer).toMatchObject({
        status: 400,
        json: { error: expect.stringMatching(/^cursor is not .*: omit it to begin with the newest item$/) },
      });
    }
  });

  testRows(['101', 'ten'])('rejects an invalid limit', async (limit) => {
    expect(await newCaller().send(`${list}?limit=${limit}`, { headers: await owner() })).toMatchObject({
      status: 400,
      json: { error: expect.stringMatching(/^limit must be a whole number from 1 to 100, not /) },
    });
  });

  it('has the headers, methods and preflight of other operations', async () => {
    const { send } = newCaller();
    const allowed = list === ASSETS ? 'POST, GET, OPTIONS' : 'GET, OPTIONS';
    for (const method of ['PUT', 'DELETE']) {
      const { status, headers, json } = await send(list, { method });
      expect([status, headers.allow, json.error]).toEqual([405, allowed, expect.stringContaining(method)]);
    }
    const head = await send(list, { method: 'HEAD', headers: await owner() });
    expect([head.status, head.headers.allow, head.text]).toEqual([405, allowed, '']);
    const origin = { origin: 'https://example.com', 'access-control-request-method': 'GET' };
    const preflight = await send(list, { method: 'OPTIONS', headers: origin });
    expect([preflight.status, preflight.headers['access-control-allow-origin'], preflight.text]).toEqual([
      204,
      '*',
      '',
    ]);
    const got = await send(list, { headers: await owner() });
    // A read does not count.
    expect(got).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'x-ratelimit-remaining': '1000',
      },
    });
  });
});

it('neither repeats nor skips any of 45 deployments while others are created', async () => {
  const mine = await owner();
  const created = await Promise.all(
    Array.from({ length: 45 }, (_, i) => create(DEPLOYMENTS, mine, `p-${i}`)),
  );
  const count = async () => ids(await newCaller().send(`${DEPLOYMENTS}?limit=100`, { headers: mine })).length;
  await until(async () => (await count()) === 45);
  let more = 0;
  const read = await pages(`${DEPLOYMENTS}?limit=10`, mine, async () => {
    await create(DEPLOYMENTS, mine, `more-${more++}`);
    await until(async () => (await count()) === 45 + more);
  });
  expect(read.map((page) => page.length)).toEqual([10, 10, 10, 10, 5]);
  expect(read.flat().toSorted()).toEqual(created.toSorted());
});

it('a redeploy is shown at once in its old place, and a deletion removes a deployment at once', async () => {
  const mine = await owner();
  const first = await create(DEPLOYMENTS, mine, 'first');
  const second = await create(DEPLOYMENTS, mine, 'second');
  const { send, post } = newCaller();
  const listed = () => send(DEPLOYMENTS, { headers: mine });
  await until(async () => ids(await listed()).length === 2);
  const files = [{ path: 'index.html', content: '<title>Changed</title>' }];
  const { headers } = await post('/api/v1/deploy', { files, projectId: 'first' }, mine);
  expect((await listed()).json.items).toMatchObject([
    { id: second, title: 'second' },
    { id: first, title: 'Changed', version: JSON.parse(String(headers.etag)), owner: 'key', status: 'live' },
  ]);
  await send(`${DEPLOYMENTS}/${second}`, { method: 'DELETE', headers: mine });
  expect(ids(await listed())).toEqual([first]);
  expect(await create(DEPLOYMENTS, mine, 'second')).toBe(second);
  await until(async () => ids(await listed()).length === 2);
});

it('a token has lists of its own', async () => {
  const token = { authorization: `Bearer ${await newToken()}` };
  for (const list of LISTS) {
    const id = await create(list, token, `token-${Date.now()}`);
    const answers: TestResponse[] = [];
    await until(async () => {
      answers.unshift(await newCaller().send(list, { headers: token }));
      return ids(answers[0] as TestResponse).includes(id);
    });
    const owners = answers[0]?.json.items.map((item: { owner?: string }) => item.owner);
    expect(new Set(owners)).toEqual(new Set([list === DEPLOYMENTS ? 'token' : undefined]));
  }
});

it('usage names the operations', async () => {
  const mine = await owner();
  const { send } = newCaller();
  for (const list of LISTS) await send(list, { headers: mine });
  const { json } = await send('/api/v1/usage', { headers: mine });
  expect(json.days[0].operations).toMatchObject({
    listGenerations: { calls: 1, statuses: { '200': 1 } },
    listDeployments: { calls: 1 },
    listAssets: { calls: 1 },
  });
});
