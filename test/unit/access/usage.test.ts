import { BatchWriteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { type UsageEntry, UsageStore } from '../../../lambda/access/usage-store.ts';
import { usageQuery } from '../../../lambda/contract/queries.ts';
import { checkedQuery } from '../../../lambda/http/input.ts';
import { dayOf } from '../../../lambda/platform/clock.ts';
import { usagePeriod, usageReport, usageResponse } from '../../../lambda/usage/usage-report.ts';
import { startMemoryDynamoDB } from '../../support/memory-dynamodb.ts';
import { testRows } from '../../support/rows.ts';

const NOW = Date.UTC(2026, 10, 21, 23, 59, 59, 999);
const ENTRY: UsageEntry = {
  caller: 'key:a',
  operation: 'generate',
  at: NOW,
  status: 200,
  ms: 1_500,
  tokens: 400,
  files: 3,
  bytes: 1_000,
  cost: 4_700,
  unpriced: 1,
};
const FREE = { usd: 0, unpriced: 0 };
const NOTHING = { calls: 0, statuses: {}, tokens: 0, files: 0, bytes: 0, cost: FREE, ms: 0 };
const TODAY = { from: '2026-11-21', to: '2026-11-21' };

const database = await startMemoryDynamoDB('usage', 'caller', 'dayOperation');
const store = new UsageStore(database.db, database.table);
let callers = 0;
const newCaller = () => `key:caller${++callers}`;

describe('the table of usage', () => {
  it('counts a call without amounts', async () => {
    const caller = newCaller();
    await store.record({ caller, operation: 'deleteDeployment', at: NOW, status: 204, ms: 7 });
    expect(await store.read(caller, TODAY)).toEqual([
      { ...NOTHING, day: '2026-11-21', operation: 'deleteDeployment', calls: 1, statuses: { 204: 1 }, ms: 7 },
    ]);
  });

  it('adds later amounts to the day on which they occur', async () => {
    const caller = newCaller();
    const { status, ms, ...amounts } = { ...ENTRY, caller };
    await store.record({ caller, operation: 'generate', at: NOW, status, ms });
    for (const at of [NOW, NOW + 1]) await store.recordAmounts({ ...amounts, at });
    const cost = { usd: 0.0047, unpriced: 1 };
    const made = { ...NOTHING, operation: 'generate', tokens: 400, files: 3, bytes: 1_000, cost };
    expect(await store.read(caller, { from: '2026-11-21', to: '2026-11-22' })).toEqual([
      { ...made, day: '2026-11-21', calls: 1, statuses: { 200: 1 }, ms: 1_500 },
      { ...made, day: '2026-11-22' },
    ]);
  });

  it('reads a period including both ends', async () => {
    const caller = newCaller();
    for (const day of [18, 19, 20, 21, 22])
      for (const operation of ['createAsset', 'updateAsset'] as const)
        await store.record({ ...ENTRY, caller, operation, at: Date.UTC(2026, 10, day) });
    const read = await store.read(caller, { from: '2026-11-19', to: '2026-11-21' });
    expect(read.map(({ day }) => day.slice(-2)).join(' ')).toBe('19 19 20 20 21 21');
  });

  it('reads all pages', async () => {
    const caller = newCaller();
    // Large items, because a page of DynamoDB is a megabyte.
    const items = Array.from({ length: 5 }, (_, i) => ({
      PutRequest: {
        Item: {
          caller,
          dayOperation: `${dayOf(NOW - i * 86_400_000)}#generate`,
          calls: 1,
          padding: 'x'.repeat(250_000),
        },
      },
    }));
    await database.db.send(new BatchWriteCommand({ RequestItems: { [database.table]: items } }));
    expect(await store.read(caller, { from: '2025-01-01', to: '2026-11-21' })).toHaveLength(5);
  });

  it('reads items of earlier versions, which have no cost', async () => {
    const caller = newCaller();
    const old = { calls: 1, tokens: 2, files: 3, bytes: 4, ms: 5, status200: 1 };
    const Item = { caller, dayOperation: '2026-11-21#generate', ...old };
    await database.db.send(new BatchWriteCommand({ RequestItems: { [database.table]: [{ PutRequest: { Item } }] } }));
    expect(await store.read(caller, TODAY)).toMatchObject([{ calls: 1, cost: FREE }]);
  });

  it('expires a day after 13 months, whenever its last call was', async () => {
    const caller = newCaller();
    for (const at of [Date.UTC(2026, 10, 21), NOW]) await store.record({ ...ENTRY, caller, at });
    const { Item } = await database.db.send(
      new GetCommand({ TableName: database.table, Key: { caller, dayOperation: '2026-11-21#generate' } }),
    );
    expect(Item).toMatchObject({ calls: 2, expiresAt: Date.UTC(2027, 11, 21) / 1000 });
  });
});

describe('the period of a query', () => {
  const period = (query: Record<string, string>) => usagePeriod(checkedQuery({ query }, usageQuery), NOW);

  it('is taken from the query', () => {
    expect(period({ from: '2026-11-01', to: '2026-11-02' })).toEqual({
      from: '2026-11-01',
      to: '2026-11-02',
    });
    expect(period({ from: '2026-11-01' })).toEqual({ from: '2026-11-01', to: '2026-11-21' });
    expect(period({ to: '2026-03-30', utm_source: 'mail' })).toEqual({
      from: '2026-03-01',
      to: '2026-03-30',
    });
    expect(period({ from: '2025-10-18', to: '2026-11-21' }).from).toBe('2025-10-18');
  });

  testRows([
    [{ to: '2026-02-30' }, 'to must be a day as YYYY-MM-DD, such as 2026-11-01, not "2026-02-30"'],
    [{ from: '2026-11-02', to: '2026-11-01' }, 'from (2026-11-02) must not be after to (2026-11-01)'],
    [{ from: '2025-10-17' }, '2025-10-17 to 2026-11-21 is 401 days: request at most 400'],
  ])('is rejected with a reason', (query: Record<string, string>, message) => {
    expect(() => period(query)).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining(message) }),
    );
  });
});

describe('GET /api/v1/usage', () => {
  const credential = { kind: 'key', scopes: [] } as const;

  it('returns the caller’s usage by day and operation, and in total', async () => {
    const [id, other] = [newCaller(), newCaller()];
    await store.record({ ...ENTRY, caller: id });
    await store.record({ ...ENTRY, caller: id, status: 503, tokens: 0, files: 0, bytes: 0, unpriced: 0 });
    await store.record({
      caller: id,
      operation: 'deploy',
      at: NOW,
      status: 201,
      ms: 20,
      files: 3,
      bytes: 900,
    });
    await store.record({ ...ENTRY, caller: id, at: Date.UTC(2026, 10, 3) });
    await store.record({ ...ENTRY, caller: other });
    const response = await usageResponse({ id, limit: 1, credential }, { from: '2026-11-01' }, store, () => NOW);
    const cost = { usd: 0.0047, unpriced: 1 };
    const counts = { tokens: 400, files: 3, bytes: 1_000, cost, ms: 1_500 };
    const generated = { calls: 1, statuses: { 200: 1 }, ...counts };
    const deployed = { tokens: 0, files: 3, bytes: 900, cost: FREE, ms: 20 };
    expect(response).toEqual({
      from: '2026-11-01',
      to: '2026-11-21',
      totals: {
        calls: 4,
        statuses: { 200: 2, 201: 1, 503: 1 },
        tokens: 800,
        files: 9,
        bytes: 2_900,
        cost: { usd: 0.0141, unpriced: 2 },
        ms: 4_520,
      },
      days: [
        { day: '2026-11-03', operations: { generate: generated } },
        {
          day: '2026-11-21',
          operations: {
            deploy: { calls: 1, statuses: { 201: 1 }, ...deployed },
            generate: {
              ...generated,
              calls: 2,
              statuses: { 200: 1, 503: 1 },
              cost: { usd: 0.0094, unpriced: 1 },
              ms: 3_000,
            },
          },
        },
      ],
    });
  });

  it('returns zeros without usage', () => {
    expect(usageReport([], TODAY)).toEqual({ ...TODAY, totals: NOTHING, days: [] });
  });

  it('requires a credential', async () => {
    const refused = usageResponse(undefined, {}, store, () => NOW);
    await expect(refused).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
  });
});
