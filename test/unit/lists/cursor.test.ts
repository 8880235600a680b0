import fc from 'fast-check';
import type { Caller } from '../../../lambda/access/callers.ts';
import { type CursorOf, fromCursor, listResponse, toCursor } from '../../../lambda/http/list.ts';
import type { ApiRequest } from '../../../lambda/http/request.ts';
import type { PageRequest, Position } from '../../../lambda/platform/owned-items.ts';
import { testRows } from '../../support/rows.ts';

const OF: CursorOf = { list: 'listAssets', owner: 'key:me', secret: 'secret' };
const POSITION: Position = { createdAt: 1_795_276_750_000, id: 'HuMVoKbMUylYoINFnwKt8' };
const REFUSAL = {
  status: 400,
  message:
    'cursor is not the nextCursor of an earlier page of this list: omit it to begin with the newest item',
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
    ['of another owner', cursor, { owner: 'key:you' }],
    ['of another list', cursor, { list: 'listDeployments' }],
    ['of another service', cursor, { secret: 'another' }],
    ['with another time', cursorOf(text(cursor).replace('1795', '1796')), {}],
    ['with another id', cursorOf(text(cursor).replace('HuM', 'HuN')), {}],
    ['without its authentication', cursorOf(text(cursor).slice(22)), {}],
    ['that is truncated', cursor.slice(0, -4), {}],
    ['that is empty', '', {}],
    ['that is a number', '2', {}],
    ['that is null', 'null', {}],
    ['that is JSON', cursorOf(JSON.stringify(POSITION)), {}],
  ])('is rejected if it was changed or belongs to another list', (_, sent, of) => {
    expect(() => fromCursor(sent, { ...OF, ...of })).toThrow(expect.objectContaining(REFUSAL));
  });

  it('cannot be guessed', () => {
    fc.assert(
      fc.property(fc.string(), (sent) => {
        expect(() => fromCursor(sent, OF)).toThrow(expect.objectContaining(REFUSAL));
      }),
    );
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
