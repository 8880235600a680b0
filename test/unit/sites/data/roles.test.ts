import type { Item } from '../../../../lambda/sites/data/store.ts';
import { create, OPEN, siteWith, type TestSite, textsIn, type Who } from './site.ts';

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
    ['author', 'outsider', 403, 403, 201, 403, 403, 403],
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
    const ofRole = Object.fromEntries(Object.keys(OPEN).map((operation) => [operation, role]));
    const rules = { ...ofRole, create: role === 'owner' ? role : 'visitor' };
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

describe('review', () => {
  const reviewed = () => siteWith({ ...OPEN, update: 'author', review: true, tally: 'choice' });
  const seenBy = async (site: TestSite, who: Who) => textsIn(await site.send(who, 'GET', 'notes'));

  it('shows an item to its author and the owner until it is approved', async () => {
    const site = reviewed();
    const id = await create(site, 'ann', { text: 'Hello', choice: 'a' });
    expect(await seenBy(site, 'bob')).toEqual([]);
    expect((await site.send('bob', 'GET', `notes/${id}`)).status).toBe(404);
    expect((await site.send('bob', 'DELETE', `notes/${id}`)).status).toBe(404);
    expect((await site.send('ann', 'GET', 'notes')).json.items).toMatchObject([{ mine: true, waiting: true }]);
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
});
