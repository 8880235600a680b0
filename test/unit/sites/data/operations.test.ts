import { MemoryStore } from '../../../../lambda/sites/data/memory-store.ts';
import type { Item } from '../../../../lambda/sites/data/store.ts';
import { TestSite, type Who } from './site.ts';

const SCHEMA = {
  type: 'object',
  required: ['text'],
  properties: {
    text: { type: 'string', minLength: 1, maxLength: 20_000 },
    email: { type: 'string', format: 'email' },
    choice: { type: 'string', enum: ['a', 'b'] },
    address: { type: 'object', properties: { city: { type: 'string' }, zip: { type: 'string' } } },
  },
};
const OPEN = { create: 'visitor', read: 'visitor', update: 'visitor', delete: 'visitor', count: 'visitor' };
const siteWith = (rules: object, schema: object = SCHEMA) => new TestSite({ notes: { ...rules, schema } });

async function create(site: TestSite, who: Who, fields: object = { text: 'Hello' }) {
  const { json, status } = await site.send(who, 'POST', 'notes', { json: fields });
  expect(status).toBe(201);
  return json.id as string;
}

const textsIn = ({ json }: { json: { items: { text: string }[] } }) => json.items.map(({ text }) => text);

describe('roles', () => {
  // For each role of all operations: who gets which status, for an item that Ann created.
  const rows: [string, Who, number, number, number, number, number, number][] = [
    // role, who, list, read, create, update, delete, count
    ['owner', 'owner', 200, 200, 201, 200, 204, 200],
    ['owner', 'ann', 403, 403, 403, 403, 403, 403],
    ['owner', 'stranger', 403, 403, 403, 403, 403, 403],
    ['author', 'owner', 200, 200, 201, 200, 204, 200],
    ['author', 'ann', 200, 200, 201, 200, 204, 200],
    ['author', 'bob', 200, 404, 201, 404, 404, 403],
    ['author', 'stranger', 200, 404, 201, 404, 404, 403],
    ['author', 'outsider', 403, 403, 403, 403, 403, 403],
    ['visitor', 'owner', 200, 200, 201, 200, 204, 200],
    ['visitor', 'bob', 200, 200, 201, 200, 204, 200],
    ['visitor', 'outsider', 200, 200, 201, 200, 204, 200],
  ];
  it.each(rows)('%s: %s', async (role, who, ...expected) => {
    const item: Item = {
      id: 'i0',
      fields: { text: 'Hello' },
      createdAt: 1,
      updatedAt: 1,
      author: 'ann',
      shown: true,
      revision: 1,
    };
    const requests: [string, string, unknown?][] = [
      ['GET', 'notes'],
      ['GET', 'notes/i0'],
      ['POST', 'notes', { text: 'More' }],
      ['PATCH', 'notes/i0', { text: 'Changed' }],
      ['DELETE', 'notes/i0'],
      ['GET', 'notes/count'],
    ];
    const rules = Object.fromEntries(Object.keys(OPEN).map((operation) => [operation, role]));
    const statuses = await Promise.all(
      requests.map(async ([method, path, json]) => {
        const site = siteWith(rules);
        await site.store.create('notes', { ...item, bytes: 1 });
        return (await site.send(who, method, path, { json })).status;
      }),
    );
    expect(statuses).toEqual(expected);
  });

  it('says what the caller may do', async () => {
    const site = siteWith({ create: 'visitor', update: 'author' });
    expect((await site.send('stranger', 'GET', '')).json).toEqual({
      owner: false,
      collections: { notes: ['create', 'update'] },
    });
    expect((await site.send('outsider', 'GET', '')).json.collections).toEqual({ notes: ['create'] });
    const all = ['create', 'read', 'update', 'delete', 'count'];
    expect((await site.send('owner', 'GET', '')).json).toEqual({ owner: true, collections: { notes: all } });
  });

  it('refuses a change of an item that others may read, without hiding it', async () => {
    const site = siteWith({ ...OPEN, update: 'author', delete: 'author' });
    const id = await create(site, 'ann');
    for (const method of ['PATCH', 'DELETE'])
      expect(await site.send('bob', method, `notes/${id}`, { json: {} })).toMatchObject({
        status: 403,
        json: { code: 'forbidden' },
      });
  });

  it('gives no fields to one who may change an item, and not read it', async () => {
    const site = siteWith({ ...OPEN, read: 'owner' });
    const id = await create(site, 'ann', { text: 'Secret', email: 'a@b.c' });
    const { status, text } = await site.send('bob', 'PATCH', `notes/${id}`, { json: { text: 'New' } });
    expect(status).toBe(200);
    expect(text).not.toContain('a@b.c');
  });
});

describe('visitors', () => {
  it.each([
    [{ ...OPEN }, 0],
    [{ ...OPEN, delete: 'author' }, 1],
    [{ ...OPEN, create: 'author' }, 1],
    [{ ...OPEN, unique: 'visitor' }, 1],
    [{ ...OPEN, review: true }, 1],
  ])('are recognized from now on only where a rule needs it: %j', async (rules, count) => {
    const site = siteWith(rules);
    await site.send('stranger', 'GET', 'notes');
    const { json } = await site.send('stranger', 'POST', 'notes', { json: { text: 'Hello' } });
    expect(site.minted).toHaveLength(count);
    expect(json.mine).toBe(count === 1 ? true : undefined);
    await create(siteWith({ ...OPEN, delete: 'author' }), 'ann');
  });

  it('list their own items, where they may create some', async () => {
    const site = siteWith({ create: 'visitor', read: 'owner' });
    await create(site, 'ann', { text: 'Of Ann' });
    await create(site, 'bob', { text: 'Of Bob' });
    expect(textsIn(await site.send('ann', 'GET', 'notes?mine=true'))).toEqual(['Of Ann']);
    expect((await site.send('stranger', 'GET', 'notes?mine=true')).json).toEqual({ items: [], next: null });
    expect(site.minted).toHaveLength(1);
    expect((await site.send('outsider', 'GET', 'notes?mine=true')).status).toBe(403);
    expect((await siteWith({}).send('ann', 'GET', 'notes?mine=true')).status).toBe(403);
  });

  it('list only their own items with read: author', async () => {
    const site = siteWith({ create: 'visitor', read: 'author' });
    await create(site, 'ann', { text: 'Of Ann' });
    await create(site, 'bob', { text: 'Of Bob' });
    expect(textsIn(await site.send('bob', 'GET', 'notes'))).toEqual(['Of Bob']);
    expect(textsIn(await site.send('owner', 'GET', 'notes'))).toEqual(['Of Bob', 'Of Ann']);
  });

  it('vote once with unique: visitor', async () => {
    const site = siteWith({ ...OPEN, unique: 'visitor', tally: 'choice' });
    await create(site, 'ann', { text: 'x', choice: 'b' });
    const again = await site.send('ann', 'POST', 'notes', { json: { text: 'x', choice: 'b' } });
    expect(again).toMatchObject({ status: 409, json: { code: 'duplicate' } });
    await create(site, 'bob', { text: 'y', choice: 'b' });
    expect((await site.send('stranger', 'GET', 'notes/tally')).json).toEqual({ tally: { a: 0, b: 2 } });
    const outside = await site.send('outsider', 'POST', 'notes', { json: { text: 'z' } });
    expect(outside.status).toBe(403);
  });
});

describe('lists', () => {
  it('are paged, newest first', async () => {
    const site = siteWith(OPEN);
    for (const text of ['1', '2', '3']) await create(site, 'stranger', { text });
    const first = await site.send('stranger', 'GET', 'notes?limit=2');
    expect(textsIn(first)).toEqual(['3', '2']);
    const second = await site.send('stranger', 'GET', `notes?limit=2&cursor=${first.json.next}`);
    expect(second.json).toMatchObject({ items: [{ text: '1' }], next: null });
    expect(second.headers).toMatchObject({ 'Cache-Control': 'private, no-store, stale-if-error=0' });
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=..%2F'])
      expect((await site.send('stranger', 'GET', `notes?${query}`)).json).toMatchObject({
        code: 'invalid',
        field: query.split('=')[0],
      });
  });

  it('are not read again for a tag that is still right', async () => {
    const site = siteWith(OPEN);
    const id = await create(site, 'ann');
    const { ETag: tag } = (await site.send('bob', 'GET', 'notes')).headers;
    const list = jest.spyOn(site.store, 'list');
    const unchanged = await site.send('bob', 'GET', 'notes', {
      headers: { 'if-none-match': `W/"x", ${tag}` },
    });
    expect(unchanged).toMatchObject({ status: 304, text: '' });
    expect(list).not.toHaveBeenCalled();
    const others = await site.send('ann', 'GET', 'notes', { headers: { 'if-none-match': tag } });
    expect(others.json.items).toMatchObject([{ mine: true }]);
    await site.send('ann', 'PATCH', `notes/${id}`, { json: { text: 'New' } });
    expect((await site.send('bob', 'GET', 'notes', { headers: { 'if-none-match': tag } })).status).toBe(200);
  });

  it('leave out items that have ended', async () => {
    const site = siteWith({ ...OPEN, keepDays: 1 });
    const id = await create(site, 'ann');
    site.now += 86_400_000;
    expect(textsIn(await site.send('ann', 'GET', 'notes'))).toEqual([]);
    expect((await site.send('ann', 'GET', `notes/${id}`)).status).toBe(404);
  });
});

describe('review', () => {
  const reviewed = () => siteWith({ ...OPEN, update: 'author', review: true, tally: 'choice' });
  const seenBy = async (site: TestSite, who: Who) => textsIn(await site.send(who, 'GET', 'notes'));

  it('shows an item to its author and the owner until it is approved', async () => {
    const site = reviewed();
    const id = await create(site, 'ann', { text: 'Hello', choice: 'a' });
    expect(await seenBy(site, 'bob')).toEqual([]);
    expect((await site.send('bob', 'GET', `notes/${id}`)).status).toBe(404);
    expect((await site.send('bob', 'DELETE', `notes/${id}`)).status).toBe(404);
    expect((await site.send('ann', 'GET', 'notes')).json.items).toMatchObject([
      { mine: true, waiting: true },
    ]);
    expect(await seenBy(site, 'owner')).toEqual(['Hello']);
    expect((await site.send('bob', 'GET', 'notes/count')).json).toEqual({ count: 0 });
    expect((await site.send('ann', 'POST', `notes/${id}/approve`)).status).toBe(403);

    const approved = await site.send('owner', 'POST', `notes/${id}/approve`);
    expect(approved.json).not.toHaveProperty('waiting');
    expect(await seenBy(site, 'bob')).toEqual(['Hello']);
    expect((await site.send('bob', 'GET', 'notes/tally')).json).toEqual({ tally: { a: 1, b: 0 } });

    const changed = await site.send('ann', 'PATCH', `notes/${id}`, { json: { text: 'Spam' } });
    expect(changed.json).toMatchObject({ text: 'Spam', waiting: true });
    expect(await seenBy(site, 'bob')).toEqual([]);
    expect((await site.send('bob', 'GET', 'notes/tally')).json).toEqual({ tally: { a: 0, b: 0 } });
  });

  it.each([
    ['before the request', false],
    ['during it', true],
  ])('approves what the owner has seen, and no text that came %s', async (_, during) => {
    const site = reviewed();
    const id = await create(site, 'ann', { text: 'Nice' });
    const seen = async () => (await site.send('owner', 'GET', 'notes')).json.items[0].updatedAt;
    const approve = (time: string) => site.send('owner', 'POST', `notes/${id}/approve?seen=${time}`);
    // The clock stands still: the change has another time nevertheless.
    const spam = () => site.send('ann', 'PATCH', `notes/${id}`, { json: { text: 'Spam' } });
    const first = await seen();
    const { update } = site.store;
    if (during)
      jest.spyOn(site.store, 'update').mockImplementationOnce(async (...change) => {
        await spam();
        return update.apply(site.store, change);
      });
    else await spam();
    const error = 'The item has changed since it was read: read it again';
    expect(await approve(first)).toMatchObject({ status: 409, json: { code: 'conflict', error } });
    expect(await seenBy(site, 'bob')).toEqual([]);
    expect((await approve('now')).json).toMatchObject({ code: 'invalid', field: 'seen' });
    const second = await seen();
    expect((await approve(second)).json).not.toHaveProperty('waiting');
    // Once more, such as after a response that was lost.
    expect((await approve(second)).status).toBe(200);
    expect(await seenBy(site, 'bob')).toEqual(['Spam']);
  });

  it('pages through items of others that are shown, and own ones that wait', async () => {
    const site = reviewed();
    for (let number = 1; number <= 9; number++) {
      const id = await create(site, number % 3 === 0 ? 'ann' : 'bob', { text: String(number) });
      if (number % 2 === 0) await site.send('owner', 'POST', `notes/${id}/approve`);
    }
    const texts: string[] = [];
    for (let cursor = ''; ; ) {
      const { json } = await site.send('ann', 'GET', `notes?limit=2${cursor}`);
      texts.push(...textsIn({ json }));
      if (json.next === null) break;
      cursor = `&cursor=${json.next}`;
    }
    expect(texts).toEqual(['9', '8', '6', '4', '3', '2']);
  });

  it('lists at most 1 MB of both', async () => {
    const site = reviewed();
    const text = 'x'.repeat(16_000);
    for (let number = 0; number < 80; number++) await create(site, number % 2 ? 'owner' : 'ann', { text });
    const first = await site.send('ann', 'GET', 'notes?limit=100');
    expect(first.text.length).toBeLessThan(1_100_000);
    const second = await site.send('ann', 'GET', `notes?limit=100&cursor=${first.json.next}`);
    expect(first.json.items.length + second.json.items.length).toBe(80);
  });

  it('shows what the owner creates at once, and lets the owner change without a second approval', async () => {
    const site = reviewed();
    const id = await create(site, 'owner');
    await site.send('owner', 'PATCH', `notes/${id}`, { json: { text: 'News' } });
    expect(await seenBy(site, 'bob')).toEqual(['News']);
  });
});

describe('creating', () => {
  it('refuses what is not an item, with its field', async () => {
    const site = siteWith(OPEN);
    const send = (json: unknown) => site.send('stranger', 'POST', 'notes', { json });
    expect((await send({ text: '' })).json).toEqual({
      error: 'text must not be empty',
      code: 'invalid',
      field: 'text',
    });
    expect(await send({ text: 'x', admin: true })).toMatchObject({ status: 400, json: { field: 'admin' } });
    expect(await send([])).toMatchObject({ status: 400, json: { error: 'The item must be an object' } });
    expect(await send({ text: 'ü'.repeat(9_000) })).toMatchObject({
      status: 413,
      json: { code: 'too_large' },
    });
    expect(await send({ text: 'x'.repeat(70_000) })).toMatchObject({ status: 413 });
    const typed = (type: string, more = {}) =>
      site.send('stranger', 'POST', 'notes', {
        json: { text: 'x' },
        headers: { 'content-type': type, ...more },
      });
    expect((await typed('text/plain')).status).toBe(415);
    expect((await typed('application/json', { 'content-encoding': 'gzip' })).status).toBe(415);
    const broken = { form: '{', headers: { 'content-type': 'application/json; charset=utf-8' } };
    expect(await site.send('stranger', 'POST', 'notes', broken)).toMatchObject({ status: 400 });
    expect((await site.store.state('notes')).items).toBe(0);
  });

  it('compares unique fields trimmed, in NFC and lower case', async () => {
    const site = siteWith({ ...OPEN, unique: 'text' });
    await create(site, 'ann', { text: ' Zoe\u0308 ' });
    const again = await site.send('bob', 'POST', 'notes', { json: { text: 'ZO\u00cb' } });
    expect(again).toMatchObject({ status: 409, json: { code: 'duplicate', field: 'text' } });
  });

  it.each([
    ['full', 409, 'full'],
    ['duplicate', 409, 'duplicate'],
    ['site_full', 409, 'site_full'],
    ['too_many_today', 429, 'too_many'],
    ['in_progress', 409, 'conflict'],
  ] as const)('says why the store refused: %s', async (refusal, status, code) => {
    const site = siteWith(OPEN);
    jest.spyOn(site.store, 'create').mockResolvedValue(refusal);
    const sent = await site.send('ann', 'POST', 'notes', { json: { text: 'x' } });
    expect(sent).toMatchObject({ status, json: { code } });
    expect(sent.created).toBeUndefined();
  });

  it('creates once for an Idempotency-Key, and tells nobody what another one sent under it', async () => {
    const site = siteWith(OPEN);
    const send = (who: Who, text: string, key: string) =>
      site.send(who, 'POST', 'notes', { json: { text }, headers: { 'idempotency-key': key } });
    const { json, created } = await send('ann', 'x', 'k1');
    expect(created).toMatchObject({ collection: { name: 'notes' }, item: { id: json.id } });
    expect((await send('ann', 'x', 'k1')).json).toEqual(json);
    const other = await send('bob', 'y', 'k1');
    expect(other).toMatchObject({ status: 422, json: { code: 'idempotency_mismatch' } });
    expect((await send('ann', 'x', 'with space')).status).toBe(400);
    expect((await site.store.state('notes')).items).toBe(1);
  });
});

describe('changing', () => {
  it('merges a patch, and checks the result', async () => {
    const site = siteWith({ ...OPEN, unique: 'text' });
    const id = await create(site, 'ann', { text: 'x', email: 'a@b.c', address: { city: 'Bonn', zip: '1' } });
    const patch = (json: unknown, headers = {}) =>
      site.send('ann', 'PATCH', `notes/${id}`, { json, headers });
    const type = { 'content-type': 'application/merge-patch+json' };
    const changed = await patch({ email: null, address: { zip: null, city: 'Köln' } }, type);
    expect(changed.json).toMatchObject({ text: 'x', address: { city: 'Köln' } });
    expect(changed.json).not.toHaveProperty('email');
    expect(await patch({ text: 'y' })).toMatchObject({ status: 400, json: { field: 'text' } });
    expect(await patch({ text: null })).toMatchObject({ status: 400, json: { error: 'text is required' } });
    expect(await patch([])).toMatchObject({ status: 400 });
    const deep = `{"address":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_001)}`;
    const sent = { form: deep, headers: { 'content-type': 'application/json' } };
    expect(await site.send('ann', 'PATCH', `notes/${id}`, sent)).toMatchObject({ status: 400 });
    expect((await patch({}, { 'content-type': 'text/plain' })).status).toBe(415);
  });

  it('moves the tally', async () => {
    const site = siteWith({ ...OPEN, tally: 'choice' });
    const id = await create(site, 'ann', { text: 'x', choice: 'a' });
    await site.send('ann', 'PATCH', `notes/${id}`, { json: { choice: 'b' } });
    expect((await site.send('ann', 'GET', 'notes/tally')).json).toEqual({ tally: { a: 0, b: 1 } });
    await site.send('ann', 'DELETE', `notes/${id}`);
    expect((await site.send('ann', 'GET', 'notes/tally')).json).toEqual({ tally: { a: 0, b: 0 } });
  });

  it.each([
    ['tallied nothing', {}, { text: 'x', choice: 'a' }, { from: undefined, to: 'b' }],
    [
      'tallied another field',
      { tally: 'size' },
      { text: 'x', choice: 'a', size: 's' },
      { from: 's', to: 'b' },
    ],
  ])('takes from the tally what is in it, after rules that %s', async (_, rules, fields, tally) => {
    const size = { type: 'string', enum: ['s', 'm'] };
    const schema = { ...SCHEMA, properties: { ...SCHEMA.properties, size } };
    const store = new MemoryStore();
    const id = await create(new TestSite({ notes: { ...OPEN, ...rules, schema } }, store), 'ann', fields);
    const update = jest.spyOn(store, 'update');
    const site = new TestSite({ notes: { ...OPEN, tally: 'choice', schema } }, store);
    await site.send('ann', 'PATCH', `notes/${id}`, { json: { choice: 'b' } });
    expect(update.mock.calls[0]?.[2]).toMatchObject({ tally });
    expect((await site.send('ann', 'GET', 'notes/tally')).json).toEqual({ tally: { a: 0, b: 1 } });
  });

  it('keeps to If-Match, and repeats a change without it', async () => {
    const site = siteWith(OPEN);
    const id = await create(site, 'ann');
    const { ETag: tag = '' } = (await site.send('ann', 'GET', `notes/${id}`)).headers;
    expect((await site.send('ann', 'GET', `notes/${id}`, { headers: { 'if-none-match': tag } })).status).toBe(
      304,
    );
    const { update } = site.store;
    let raced = false;
    jest.spyOn(site.store, 'update').mockImplementation(async (name, before, change) => {
      if (raced) return update.call(site.store, name, before, change);
      raced = true;
      await update.call(site.store, name, before, {
        ...change,
        fields: { ...before.fields, email: 'a@b.c' },
      });
      return undefined;
    });
    const changed = await site.send('bob', 'PATCH', `notes/${id}`, { json: { text: 'New' } });
    expect(changed.json).toMatchObject({ text: 'New', email: 'a@b.c' });
    for (const method of ['PATCH', 'DELETE']) {
      const stale = await site.send('bob', method, `notes/${id}`, { json: {}, headers: { 'if-match': tag } });
      expect(stale).toMatchObject({ status: 412, json: { code: 'precondition_failed' } });
    }
    expect((await site.send('bob', 'DELETE', `notes/${id}`, { headers: { 'if-match': '*' } })).status).toBe(
      204,
    );
  });
});

describe('requests', () => {
  it.each([
    ['PUT', 'notes', 405, 'GET, HEAD, POST'],
    ['POST', 'notes/i1', 405, 'GET, HEAD, PATCH, DELETE'],
    ['GET', 'notes/i1/approve', 405, 'POST'],
    ['OPTIONS', 'notes', 405, 'GET, HEAD, POST'],
    ['POST', '', 405, 'GET, HEAD'],
    ['POST', 'client.js', 405, 'GET, HEAD'],
    ['GET', 'others', 404, undefined],
    ['GET', 'constructor', 404, undefined],
    ['GET', 'notes/', 404, undefined],
    ['GET', 'notes/i1/other', 404, undefined],
    ['GET', 'notes/%', 404, undefined],
    ['GET', 'notes/tally', 404, undefined],
  ])('%s %s is a %d', async (method, path, status, allow) => {
    const sent = await siteWith(OPEN).send('ann', method, path);
    expect([sent.status, sent.headers.Allow]).toEqual([status, allow]);
    expect(sent.headers).not.toHaveProperty('Access-Control-Allow-Origin');
  });

  const own = 'https://site.example';
  it.each([
    ['a page of the site', { 'sec-fetch-site': 'same-origin', origin: 'null' }, 201],
    ['another site', { 'sec-fetch-site': 'cross-site', origin: own }, 403],
    ['another site of the domain', { 'sec-fetch-site': 'same-site' }, 403],
    ['an address bar', { 'sec-fetch-site': 'none' }, 403],
    ['an older browser', { origin: own, cookie: 'a=b' }, 201],
    ['an older browser at another site', { origin: 'https://evil.example' }, 403],
    ['a sandboxed page', { origin: 'null' }, 403],
    ['a browser that hides where it is', { 'user-agent': 'Mozilla/5.0' }, 403],
    ['a program with a cookie', { cookie: 'a=b' }, 403],
    ['a program', { 'user-agent': 'curl/8' }, 201],
  ])('of %s', async (_, headers, status) => {
    const fields = { 'sec-fetch-site': undefined, ...headers };
    const sent = await siteWith(OPEN).send('stranger', 'POST', 'notes', {
      json: { text: 'x' },
      headers: fields,
    });
    expect(sent.status).toBe(status);
  });

  it('have no body with HEAD', async () => {
    const site = siteWith(OPEN);
    expect(await site.send('ann', 'HEAD', 'notes/count')).toMatchObject({ status: 200, text: '' });
  });

  it('fail with the error of a store that is unreachable', async () => {
    const store = new MemoryStore();
    jest.spyOn(store, 'state').mockRejectedValue(new Error('unreachable'));
    const site = new TestSite({ notes: { ...OPEN, schema: SCHEMA } }, store);
    await expect(site.send('ann', 'GET', 'notes')).rejects.toThrow('unreachable');
  });
});
