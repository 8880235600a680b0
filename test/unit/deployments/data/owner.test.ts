import { approveQuery, type DataItem } from '../../../../lambda/contract/data.ts';
import { ApiError } from '../../../../lambda/contract/errors.ts';
import type { OperationName } from '../../../../lambda/contract/operations.ts';
import { clearCollection } from '../../../../lambda/deployments/data/owned-data.ts';
import { type DataApi, dataRoutes } from '../../../../lambda/deployments/data/routes.ts';
import { checkedQuery } from '../../../../lambda/http/input.ts';
import type { ApiRequest } from '../../../../lambda/http/request.ts';
import { findTarget } from '../../../../lambda/http/router.ts';
import { MemoryStore } from '../../../../lambda/sites/data/memory-store.ts';
import type { Fields, Item } from '../../../../lambda/sites/data/store.ts';
import { newSiteData, ownerUntil } from '../../../../lambda/stored/data/site-data.ts';
import type { OwnedData } from '../../../../lambda/stored/data/site-data-table.ts';
import type { Deployment } from '../../../../lambda/stored/deployment.ts';
import { aDeployment } from '../../../support/a-deployment.ts';

const NOW = 1_800_000_000_000;
const DAYS_35 = 35 * 86_400_000;
const STRING = { type: 'string' };
const SCHEMA = { type: 'object', properties: { name: STRING, text: STRING, age: { type: 'integer' } } };
const RULES = JSON.stringify({
  messages: { create: 'visitor', review: true, schema: SCHEMA },
  empty: { schema: SCHEMA },
});
const ID = 'abcdefghijkl';
const DEPLOYMENT = aDeployment({ id: ID, owner: 'key:a', data: newSiteData('hash', 1) });

class Store extends MemoryStore {
  async totals() {
    const states = await Promise.all(
      ['messages', 'empty', 'former'].map(async (name) => ({ name, ...(await this.state(name)) })),
    );
    const collections = states.filter(({ items }) => items > 0).map(({ name }) => name);
    return { items: states.reduce((sum, { items }) => sum + items, 0), bytes: 7, collections };
  }
}

let store: Store;
let deployment: Deployment;
beforeEach(() => {
  store = new Store();
  deployment = DEPLOYMENT;
});

const add = (fields: Fields, { id = 'a', shown = true, collection = 'messages' } = {}) =>
  store.create(collection, { id, fields, createdAt: NOW, shown, bytes: 10 });

async function call(method: string, path: string, more: Partial<DataApi> = {}, headers = {}) {
  const data = { rules: async () => RULES, store: () => store } as unknown as OwnedData;
  const api: DataApi = {
    baseUrl: 'https://ptp.example',
    siteOrigin: 'https://*.sites.example',
    clock: () => NOW,
    apiUrl: (_, url) => `https://ptp.example${url}`,
    data,
    owned: async () => deployment,
    pointers: { requireToken: async () => expect(deployment.owner).toBe('anonymous') as never },
    ...more,
  };
  const url = new URL(`/api/v1/deployments/${ID}/data${path}`, api.baseUrl);
  const target = findTarget(method, url.pathname);
  const route = dataRoutes(api).find((one) => one.method === method && one.path === target?.operation.path);
  const request = {
    method,
    path: url.pathname,
    target,
    headers,
    query: Object.fromEntries(url.searchParams),
  };
  const response = await route?.call(request as unknown as ApiRequest);
  return { name: target?.name as OperationName, ...response, body: response?.body as never };
}

test('lists the collections that are declared, and those that still have items', async () => {
  await add({ name: 'a' }, { shown: false });
  await add({ x: 1 }, { collection: 'former' });
  const { body } = await call('GET', '');
  expect(body).toMatchObject({
    collections: [
      {
        name: 'messages',
        items: 1,
        waiting: 1,
        rules: { create: 'visitor', read: 'owner', review: true },
        fields: ['name', 'text', 'age'],
      },
      { name: 'empty', items: 0, waiting: 0 },
      { name: 'former', items: 1, fields: [] },
    ],
    items: 2,
    bytes: 7,
    linkable: true,
  });
  deployment = { ...DEPLOYMENT, data: undefined } as never;
  expect((await call('GET', '')).body).toMatchObject({ collections: [], linkable: false });
});

test('lists the items in pages, with those that wait', async () => {
  for (const id of ['a', 'b', 'c']) await add({ name: id }, { id, shown: id !== 'b' });
  const { body, headers } = await call('GET', '/messages?limit=2');
  expect(body).toEqual({
    items: [
      { id: 'c', createdAt: '2027-01-15T08:00:00.000Z', updatedAt: '2027-01-15T08:00:00.000Z', name: 'c' },
      expect.objectContaining({ id: 'b', waiting: true }),
    ],
    nextCursor: 'b',
  });
  expect(headers?.Link).toBe(
    `<https://ptp.example/api/v1/deployments/${ID}/data/messages?limit=2&cursor=b>; rel="next"`,
  );
  expect((await call('GET', '/messages?limit=2&cursor=b')).body).toMatchObject({
    items: [{ id: 'a' }],
    nextCursor: null,
  });
  await expect(call('GET', '/messages?cursor=%20')).rejects.toMatchObject({ code: 'invalid_request' });
});

describe('CSV', () => {
  const csv = async (path = '/messages') => {
    const { bytes, headers } = await call('GET', path, {}, { accept: 'text/csv' });
    return { text: Buffer.from(bytes ?? []).toString(), headers };
  };

  it('has all items and fields, those of an earlier schema last', async () => {
    await add({ name: 'An "n"', text: 'two\nlines', age: -3, old: [1, 'x'] }, { id: 'a' });
    await add({ name: 'b' }, { id: 'b', shown: false });
    const { text, headers } = await csv();
    const time = '2027-01-15T08:00:00.000Z';
    expect(text).toBe(
      [
        '\ufeff"id","createdAt","updatedAt","waiting","name","text","age","old"',
        `"b","${time}","${time}",true,"b",,,`,
        `"a","${time}","${time}",,"An ""n""","two\nlines",-3,"[1,""x""]"`,
        '',
      ].join('\r\n'),
    );
    expect(headers).toMatchObject({ 'Content-Type': 'text/csv; charset=utf-8', 'Cache-Control': 'no-store' });
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\ta', '\ra', ' =1', '＝1', '\u0000=1', '\u200b=1'])(
    'makes %j harmless',
    async (text) => {
      await add({ text });
      expect((await csv()).text).toContain(`"'${text}"`);
    },
  );

  // In the languages in which the comma is in numbers, spreadsheets separate cells by semicolons.
  it.each([
    ['hi;=1+1', "hi;'=1+1"],
    ['a\n=1', "a\n'=1"],
    ['a; -1;;@b', "a;' -1;;'@b"],
    ['a;\u0000\u200b=1', "a;'\u0000\u200b=1"],
    ['\t=1', "'\t'=1"],
    ['a=b; c-d', 'a=b; c-d'],
  ])('makes %j harmless for other separators', async (text, harmless) => {
    await add({ text });
    expect((await csv()).text).toContain(`"${harmless}"`);
  });

  it('ends with a link to the others before a response would be too large', async () => {
    const fields = { text: 'x'.repeat(16_000) };
    for (let i = 0; i < 400; i++) await add(fields, { id: `i${String(i).padStart(3, '0')}` });
    const { text, headers } = await csv();
    expect(text.length).toBeLessThan(4 * 1_048_576);
    const [, next = ''] = /data(\/messages[^>]+)>/.exec(headers?.Link ?? '') ?? [];
    const rest = await csv(next);
    const rows = (body: string) => body.split('\r\n').length - 2;
    expect(rows(text) + rows(rest.text)).toBeGreaterThan(rows(text));
  });
});

test('reads rules whose file begins with two byte order marks, as the deploy did', async () => {
  // The first one is dropped where the file is decoded.
  const data = { rules: async () => `\ufeff${RULES}`, store: () => store } as unknown as OwnedData;
  const { body } = await call('GET', '', { data });
  expect(body).toMatchObject({ collections: [{ name: 'messages', fields: ['name', 'text', 'age'] }, {}] });
});

test('approves an item once, with its tally', async () => {
  await add({ name: 'a' }, { shown: false });
  for (let i = 0; i < 2; i++) expect((await call('POST', '/messages/a/approve')).body).not.toHaveProperty('waiting');
  expect(await store.get('messages', 'a')).toMatchObject({ shown: true, revision: 2 });
});

test('approves no item that has changed since it was read', async () => {
  await add({ name: 'nice' }, { shown: false });
  const approve = (seen: string) => call('POST', `/messages/a/approve?seen=${seen}`);
  const read = async () => ((await call('GET', '/messages/a')).body as DataItem).updatedAt;
  const seen = await read();
  const before = (await store.get('messages', 'a')) as Item;
  await store.update('messages', before, { fields: { name: 'SPAM' }, bytes: 10, shown: false, at: NOW + 1 });
  await expect(approve(seen)).rejects.toMatchObject({
    code: 'conflict',
    message: 'The item has changed since it was read: read it again',
  });
  expect(await store.get('messages', 'a')).toMatchObject({ shown: false });
  expect((await approve(await read())).body).toMatchObject({ name: 'SPAM' });
  const sent = { query: { seen: 'now' } };
  expect(() => checkedQuery(sent, approveQuery)).toThrow('seen must be the updatedAt of the item');
});

test('deletes an item and a collection, and says for how long backups keep them', async () => {
  for (const id of ['a', 'b', 'c']) await add({ name: id }, { id });
  expect((await call('DELETE', '/messages/a')).body).toEqual({
    id: 'a',
    status: 'deleted',
    backupsUntil: NOW + DAYS_35,
  });
  await expect(call('GET', '/messages/a')).rejects.toMatchObject({ code: 'not_found' });
  expect((await call('DELETE', '/messages')).body).toEqual({
    deleted: 2,
    complete: true,
    backupsUntil: NOW + DAYS_35,
  });
});

test('deletes what a request has time for', async () => {
  for (let i = 0; i < 20; i++) await add({ name: 'a' }, { id: `i${i + 10}` });
  let now = 0;
  const cleared = await clearCollection(store, 'messages', () => (now += 10_000));
  expect(cleared).toEqual({ deleted: 8, complete: false });
});

test('links a browser to the owner, on an origin of the site only, until a claim', async () => {
  const { body } = await call('POST', '/link');
  const { url, expiresAt } = body as { url: string; expiresAt: number };
  const key = new URL(url).searchParams.get('key') ?? '';
  expect(url).toBe(`https://${ID}.sites.example/.data/owner?key=${key}`);
  const until = (owner: string, now = NOW) => ownerUntil({ owner, data: DEPLOYMENT.data as never }, 'link', key, now);
  expect([until('key:a'), until('key:b'), until('key:a', NOW + 600_000)]).toEqual([
    expiresAt / 1_000,
    undefined,
    undefined,
  ]);
  await expect(call('POST', '/link', { siteOrigin: undefined })).rejects.toMatchObject({
    code: 'invalid_request',
  });
});

describe('is refused:', () => {
  it.each<[string, Partial<Deployment>, string]>([
    ['a deployment that was taken down', { takenDown: { at: 1 } }, 'taken_down'],
    ['one that was deleted', { deletedAt: 1 }, 'gone'],
  ])('the data of %s', async (_, state, code) => {
    await add({ name: 'a' });
    deployment = { ...DEPLOYMENT, ...state };
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/link'],
      ['GET', '/messages'],
      ['DELETE', '/messages'],
      ['GET', '/messages/a'],
      ['DELETE', '/messages/a'],
      ['POST', '/messages/a/approve'],
    ] as const)
      await expect(call(method, path)).rejects.toMatchObject({ code });
  });

  it('a collection that is not there, and any on a stage without data', async () => {
    await expect(call('GET', '/other')).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('_data.json declares messages, empty'),
    });
    await expect(call('GET', '', { data: undefined })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('whatever a stranger asks for', async () => {
    const owned = async () => {
      throw new ApiError('forbidden', 'not yours');
    };
    await expect(call('GET', '/messages', { owned })).rejects.toMatchObject({ code: 'forbidden' });
  });
});
