import { MemoryStore } from '../../../../lambda/sites/data/memory-store.ts';
import { create, OPEN, SCHEMA, siteWith, TestSite, textsIn, type Who } from './site.ts';

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

  it('leave out private fields for all but the author and the owner', async () => {
    const site = siteWith({ ...OPEN, update: 'visitor', private: ['email'] });
    const id = await create(site, 'ann', { text: 'Salad', email: 'a@b.example' });
    const fields = async (who: Who, method: string, path: string, sent = {}) => {
      const { json } = await site.send(who, method, path, sent);
      const { text, email, mine } = json.items?.[0] ?? json;
      return { text, email, mine };
    };
    const all = { text: 'Salad', email: 'a@b.example' };
    for (const path of ['notes', `notes/${id}`]) {
      expect(await fields('bob', 'GET', path)).toEqual({ text: 'Salad' });
      expect(await fields('outsider', 'GET', path)).toEqual({ text: 'Salad' });
      expect(await fields('ann', 'GET', path)).toEqual({ ...all, mine: true });
      expect(await fields('owner', 'GET', path)).toEqual(all);
    }
    const patch = { json: { text: 'Cake' } };
    expect(await fields('bob', 'PATCH', `notes/${id}`, patch)).toEqual({ text: 'Cake' });
    expect(await fields('owner', 'GET', 'notes')).toEqual({ ...all, text: 'Cake' });
    const { email: _, ...properties } = SCHEMA.properties;
    const later = new TestSite({ notes: { ...OPEN, schema: { ...SCHEMA, properties } } }, site.store);
    const { json } = await later.send('bob', 'GET', 'notes');
    expect(json.items[0]).not.toHaveProperty('email');
    await site.send('stranger', 'POST', 'notes', { json: { text: 'Tea' } });
    expect(site.minted).toHaveLength(1);
  });

  it('leave out items that have ended', async () => {
    const site = siteWith({ ...OPEN, keepDays: 1 });
    const id = await create(site, 'ann');
    site.now += 86_400_000;
    expect(textsIn(await site.send('ann', 'GET', 'notes'))).toEqual([]);
    expect((await site.send('ann', 'GET', `notes/${id}`)).status).toBe(404);
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
    ['too_many_today', 429, 'too_many'],
    ['in_progress', 409, 'conflict'],
  ] as const)('says why the store refused: %s', async (refusal, status, code) => {
    const site = siteWith(OPEN);
    jest.spyOn(site.store, 'create').mockResolvedValue(refusal);
    const sent = await site.send('ann', 'POST', 'notes', { json: { text: 'x' } });
    expect(sent).toMatchObject({ status, json: { code } });
    expect(sent.created).toBeUndefined();
    if (code === 'conflict') expect(sent.headers).toMatchObject({ 'Retry-After': '2' });
  });

  it('creates once for an Idempotency-Key, and tells nobody what another one sent under it', async () => {
    const site = siteWith(OPEN);
    const send = (who: Who, text: string, key: string) =>
      site.send(who, 'POST', 'notes', { json: { text }, headers: { 'idempotency-key': key } });
    const { json, created } = await send('ann', 'x', 'k1');
    expect(created).toMatchObject({ collection: { name: 'notes' }, item: { id: json.id }, isNew: true });
    site.now++;
    expect(await send('ann', 'x', 'k1')).toMatchObject({ json, created: { isNew: false } });
    const other = await send('bob', 'y', 'k1');
    expect(other).toMatchObject({ status: 422, json: { code: 'idempotency_mismatch' } });
    expect((await send('ann', 'x', 'with space')).status).toBe(400);
    expect((await site.store.state('notes')).items).toBe(1);
  });
});

describe('changing', () => {
  it('tells visitors by no limit how long the private fields are', async () => {
    const properties = { text: { type: 'string' }, secret: { type: 'string' } };
    const site = siteWith({ ...OPEN, private: ['secret'] }, { type: 'object', properties });
    const longest = async (secret: string) => {
      const id = await create(site, 'ann', { secret });
      const change = async (length: number) =>
        (await site.send('bob', 'PATCH', `notes/${id}`, { json: { text: 'x'.repeat(length) } })).status;
      return [await change(8_181), await change(8_182)];
    };
    expect([await longest(''), await longest('x'.repeat(8_179))]).toEqual([
      [200, 413],
      [200, 413],
    ]);
    const { status } = await site.send('ann', 'POST', 'notes', { json: { secret: 'x'.repeat(8_180) } });
    expect(status).toBe(413);
  });

  it('keeps fields that are not declared any more, unless a patch names them', async () => {
    const site = siteWith(OPEN);
    const id = await create(site, 'ann', { text: 'Old', email: 'a@b.example' });
    const { email: _, ...properties } = SCHEMA.properties;
    const later = new TestSite({ notes: { ...OPEN, schema: { ...SCHEMA, properties } } }, site.store);
    const patch = async (json: object) => (await later.send('ann', 'PATCH', `notes/${id}`, { json })).status;
    expect(await patch({ text: 'New' })).toBe(200);
    expect((await site.send('ann', 'GET', `notes/${id}`)).json).toMatchObject({
      text: 'New',
      email: 'a@b.example',
    });
    expect([await patch({ email: 'c@d.example' }), await patch({ email: null })]).toEqual([400, 200]);
    expect((await site.send('ann', 'GET', `notes/${id}`)).json).not.toHaveProperty('email');
  });

  it('changes an item that a new schema would refuse, as far as the patch names its fields', async () => {
    const site = siteWith(OPEN);
    const id = await create(site, 'ann', { text: 'Salad' });
    const properties = {
      text: { type: 'string', maxLength: 3 },
      due: { type: 'string', format: 'date' },
      done: { type: 'boolean' },
    };
    const schema = { type: 'object', required: ['text', 'due'], properties };
    const later = new TestSite({ notes: { ...OPEN, schema } }, site.store);
    const patch = async (json: object) => (await later.send('ann', 'PATCH', `notes/${id}`, { json })).json;
    expect(await patch({ done: true })).toMatchObject({ text: 'Salad', done: true });
    expect(await patch({ text: 'Cake' })).toMatchObject({ code: 'invalid', field: 'text' });
    expect(await patch({ due: null })).toMatchObject({ code: 'invalid', field: 'due' });
    expect(await patch({ due: '2026-12-24', text: 'Tea' })).toMatchObject({ due: '2026-12-24', text: 'Tea' });
    expect(await patch({ other: 1 })).toMatchObject({ code: 'invalid', field: 'other' });
  });

  it('merges a patch, and checks the result', async () => {
    const site = siteWith({ ...OPEN, unique: 'text' });
    const id = await create(site, 'ann', { text: 'x', email: 'a@b.c', address: { city: 'Bonn', zip: '1' } });
    const patch = (json: unknown, headers = {}) => site.send('ann', 'PATCH', `notes/${id}`, { json, headers });
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

  it.each([
    ['tallied nothing', {}, { text: 'x', choice: 'a' }, { from: undefined, to: 'b' }],
    ['tallied another field', { tally: 'size' }, { text: 'x', choice: 'a', size: 's' }, { from: 's', to: 'b' }],
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
    expect((await site.send('ann', 'GET', `notes/${id}`, { headers: { 'if-none-match': tag } })).status).toBe(304);
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
    expect((await site.send('bob', 'DELETE', `notes/${id}`, { headers: { 'if-match': '*' } })).status).toBe(204);
  });
});

describe('requests', () => {
  it.each([
    ['PUT', 'notes', 405, 'GET, HEAD, POST'],
    ['POST', 'notes/i1', 405, 'GET, HEAD, PATCH, DELETE'],
    ['POST', '', 405, 'GET, HEAD'],
    ['POST', 'client.js', 405, 'GET, HEAD'],
    ['GET', 'others', 404, undefined],
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
});
