import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { deletePastSalts, saltOf } from '../../../../lambda/stored/views.ts';
import { DaySalt } from '../../../../lambda/visits/views/view-counter.ts';
import { DAY, PAGE, startViewsTable, viewOf } from './views-table.ts';

let views: Awaited<ReturnType<typeof startViewsTable>>;
beforeEach(async () => {
  views = await startViewsTable();
});

const storedDays = async () => {
  const { Items = [] } = await views.db.send(
    new QueryCommand({
      TableName: views.table,
      KeyConditionExpression: 'page = :salts',
      ExpressionAttributeValues: { ':salts': '#salt' },
    }),
  );
  return Items.map(({ day }) => day);
};

test('gives all instances the same random salt of a day', async () => {
  const { db, table } = views;
  const salts = await Promise.all(Array.from({ length: 5 }, () => saltOf(db, table, DAY)));
  expect(new Set(salts.map((salt) => Buffer.from(salt).toString('hex'))).size).toBe(1);
  expect(salts[0]).toHaveLength(32);
  expect(await saltOf(db, table, '2026-11-25')).not.toEqual(salts[0]);
});

test('deletes the salts of past days, and no views', async () => {
  const { db, table } = views;
  await views.instance().count(viewOf());
  for (const day of ['2026-11-22', '2026-11-23']) await saltOf(db, table, day);
  expect(await deletePastSalts(db, table, Date.parse(`${DAY}T00:00:00Z`))).toBe(2);
  expect(await storedDays()).toEqual([DAY]);
  expect(await deletePastSalts(db, table, Date.parse('2026-11-25T00:00:00Z'))).toBe(1);
  expect(await storedDays()).toEqual([]);
  expect(await views.read(PAGE)).toMatchObject({ views: 1 });
});

test('forgets the salt of the last day with the first visit of the next one', async () => {
  const asked: string[] = [];
  const salt = new DaySalt(async (day) => {
    asked.push(day);
    return Buffer.from(day);
  });
  await salt.of('2026-11-24');
  salt.forgetPast('2026-11-24');
  await salt.of('2026-11-24');
  expect(asked).toEqual(['2026-11-24']);
  salt.forgetPast('2026-11-25');
  await salt.of('2026-11-24');
  expect(asked).toEqual(['2026-11-24', '2026-11-24']);
});

test('counts a view without its visitor while the salt cannot be read', async () => {
  const down = async () => {
    throw new Error('No connection');
  };
  let calls = 0;
  // The first call reads the views, the second one the salt.
  const instance = views.instance({ call: (perform) => (calls++ === 1 ? down() : perform()) });
  await instance.count(viewOf());
  await instance.count(viewOf({ address: '192.0.2.9' }));
  views.state.now += 2_000;
  await instance.writeOverdue();
  const { views: counted, visitors } = await views.read();
  expect([counted, visitors.size]).toEqual([2, 1]);
});
