import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Caller } from '../../../lambda/access/callers.ts';
import { type CursorOf, fromCursor, listResponse, toCursor } from '../../../lambda/http/list.ts';
import type { ApiRequest } from '../../../lambda/http/request.ts';
import { OwnedItems, type PageRequest, type Position } from '../../../lambda/platform/dynamodb.ts';
import { isUnreachable } from '../../../lambda/platform/unreachable.ts';
import { indexBy, startMemoryDynamoDB } from '../../support/memory-dynamodb.ts';
import { testRows } from '../../support/rows.ts';

const OF: CursorOf = { list: 'listAssets', owner: 'key:me', secret: 'secret' };
const POSITION: Position = { createdAt: 1_795_276_750_000, id: 'HuMVoKbMUylYoINFnwKt8' };
const REFUSAL = {
  status: 400,
  message: 'cursor is not the nextCursor of an earlier page of this list: omit it to begin with the newest item',
};
const text = (cursor: string) => Buffer.from(cursor, 'base64url').toString();
const cursorOf = (decoded: string) => Buffer.from(decoded).toString('base64url');

describe('a cursor', () => {
  const cursor = toCursor(POSITION, OF);

  it('leads back to its position, and needs no escaping in a URL', () => {
    expect(fromCursor(cursor, OF)).toEqual(POSITION);
    expect(cursor).toMatch(/^[\w-]+$/);
  });

  testRows<[string, string, Partial<CursorOf>]>([
    ['of another service', cursor, { secret: 'another' }],
    ['with another id', cursorOf(text(cursor).replace('HuM', 'HuN')), {}],
    ['without its authentication', cursorOf(text(cursor).slice(22)), {}],
    ['that is empty', '', {}],
  ])('is rejected if it was changed or belongs to another list', (_, sent, of) => {
    expect(() => fromCursor(sent, { ...OF, ...of })).toThrow(expect.objectContaining(REFUSAL));
  });
});

describe('the response of a list', () => {
  const asked: PageRequest[] = [];
  const list = (caller: Partial<Caller>, cursor?: string) =>
    listResponse(
      'listAssets',
      { request: { caller } as ApiRequest, query: { limit: 7, cursor } },
      { apiUrl: (_, path) => `https://ptp.example.com${path}`, cursorSecret: 'secret' },
      async (page) => {
        asked.push(page);
        return { items: ['a', 'hidden'], next: page.after ? undefined : POSITION };
      },
      (name) => (name === 'hidden' ? undefined : { name }),
    );
  const credential = { kind: 'key', scopes: [] } as const;

  it('links to the next page, with its limit', async () => {
    const first = await list({ id: 'key:me', credential });
    const nextCursor = toCursor(POSITION, OF);
    expect(first).toEqual({
      statusCode: 200,
      headers: {
        Link: `<https://ptp.example.com/api/v1/assets/user-assets/?limit=7&cursor=${nextCursor}>; rel="next"`,
      },
      body: { items: [{ name: 'a' }], nextCursor },
    });
    const last = await list({ id: 'key:me', credential }, nextCursor);
    expect(last).toEqual({
      statusCode: 200,
      headers: {},
      body: { items: [{ name: 'a' }], nextCursor: null },
    });
    expect(asked).toEqual([
      { owner: 'key:me', limit: 7, after: undefined },
      { owner: 'key:me', limit: 7, after: POSITION },
    ]);
  });

  it('reads nothing for another caller, or without a credential', async () => {
    asked.length = 0;
    const cursor = toCursor(POSITION, OF);
    await expect(list({ id: 'key:you', credential }, cursor)).rejects.toMatchObject(REFUSAL);
    await expect(list({ id: 'key:me' })).rejects.toMatchObject({
      status: 401,
      message: expect.stringContaining('Authorization: Bearer'),
    });
    expect(asked).toEqual([]);
  });
});

describe('the items of an owner', () => {
  let database: Awaited<ReturnType<typeof startMemoryDynamoDB>>;
  let owned: OwnedItems;
  beforeAll(async () => {
    database = await startMemoryDynamoDB('things', 'id', undefined, indexBy('owner'));
    owned = new OwnedItems(database.db, database.table, { id: 'id', owner: 'owner' });
  });

  const put = (item: { id: string; owner?: string; createdAt: number }) =>
    database.db.send(new PutCommand({ TableName: database.table, Item: item }));

  /** Reads all pages, and calls `between` after each. */
  async function pages(owner: string, limit: number, between = async () => {}): Promise<string[][]> {
    const read: string[][] = [];
    let after: Position | undefined;
    do {
      const { items, next } = await owned.page({ owner, limit, after });
      read.push(items.map(({ id }) => String(id)));
      after = next;
      await between();
    } while (after);
    return read;
  }

  it('pages through all items of an owner, newest first, and of no other', async () => {
    await put({ id: 'nobody', createdAt: 3 });
    await put({ id: 'other', owner: 'other', createdAt: 3 });
    for (const createdAt of [2, 10, 1, 9]) await put({ id: `at-${createdAt}`, owner: 'all', createdAt });
    expect(await pages('all', 3)).toEqual([['at-10', 'at-9', 'at-2'], ['at-1']]);
    // No empty page at the end.
    expect(await pages('all', 2)).toEqual([
      ['at-10', 'at-9'],
      ['at-2', 'at-1'],
    ]);
    expect(await pages('all', 4)).toHaveLength(1);
    expect(await pages('nobody', 4)).toEqual([[]]);
  });

  it('neither repeats nor skips items while others are created, even in the same millisecond', async () => {
    const ids = Array.from({ length: 45 }, (_, i) => `same-${i}`);
    for (const id of ids) await put({ id, owner: 'busy', createdAt: 5 });
    let created = 0;
    const read = await pages('busy', 10, async () => {
      created++;
      await put({ id: `new-${created}`, owner: 'busy', createdAt: 5 + created });
    });
    expect(read.map((page) => page.length)).toEqual([10, 10, 10, 10, 5]);
    expect(read.flat().toSorted()).toEqual(ids.toSorted());
  });

  it('excludes items from before a time, also for a position from before', async () => {
    for (const createdAt of [1, 2, 3]) await put({ id: `old-${createdAt}`, owner: 'old', createdAt });
    const page = (after: Position | undefined) => owned.page({ owner: 'old', limit: 2, after }, 2);
    expect(await page(undefined)).toMatchObject({
      items: [{ id: 'old-3' }, { id: 'old-2' }],
      next: undefined,
    });
    expect(await page({ createdAt: 2, id: 'old-2' })).toEqual({ items: [], next: undefined });
    expect(await page({ createdAt: 1, id: 'old-1' })).toEqual({ items: [], next: undefined });
  });

  it('an index that DynamoDB is still filling is an unreachable service', async () => {
    const error = Object.assign(new Error('Cannot read from backfilling global secondary index: ByOwner'), {
      name: 'ValidationException',
      $metadata: { httpStatusCode: 400 },
    });
    const db = { send: () => Promise.reject(error) } as unknown as DynamoDBDocumentClient;
    const page = new OwnedItems(db, 'things', { id: 'id', owner: 'owner' }).page({
      owner: 'me',
      limit: 1,
      after: undefined,
    });
    expect(isUnreachable(await page.catch((thrown: unknown) => thrown))).toBe(true);
  });

  describe('items that DynamoDB leaves unread', () => {
    /** An index with three items, and a table that reads at most `perRead` of them at once. */
    const leaving = (perRead: number) => {
      const items = [3, 2, 1].map((createdAt) => ({ id: `item-${createdAt}`, owner: 'me', createdAt }));
      const send = async ({ input }: { input: { RequestItems?: Record<string, { Keys: { id: string }[] }> } }) => {
        if (!input.RequestItems) return { Items: items };
        const { Keys = [] } = input.RequestItems.things ?? {};
        const read = Keys.slice(0, perRead).map(({ id }) => items.find((item) => item.id === id));
        const left = Keys.slice(perRead);
        return {
          Responses: { things: read.toReversed() },
          UnprocessedKeys: left.length > 0 ? { things: { Keys: left } } : {},
        };
      };
      const db = { send } as unknown as DynamoDBDocumentClient;
      return new OwnedItems(db, 'things', { id: 'id', owner: 'owner' }).page({
        owner: 'me',
        limit: 20,
        after: undefined,
      });
    };

    it('are read with further calls, in the same order', async () => {
      const { items } = await leaving(1);
      expect(items.map(({ id }) => id)).toEqual(['item-3', 'item-2', 'item-1']);
    });

    it('are an unreachable service if none can be read', async () => {
      const error = await leaving(0).catch((thrown: unknown) => thrown);
      expect([isUnreachable(error), (error as Error).message]).toEqual([true, expect.stringContaining('keys')]);
    });
  });
});
