import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Item } from '../../../../lambda/sites/data/store.ts';
import { newItemId } from '../../../../lambda/stored/data/keys.ts';
import { recount } from '../../../../lambda/stored/data/recount.ts';
import { startDataTable } from '../../../support/data-table.ts';

const KEY = Buffer.alloc(32, 7).toString('base64url');

test('counts what a site has, whatever its state says', async () => {
  const { data, db, table, time } = await startDataTable();
  const store = data.store('abcdefghijkl', { since: 1, key: KEY });
  for (const [collection, tally, shown] of [
    ['a', 'x', true],
    ['a', 'x', true],
    ['a', undefined, false],
    ['b', undefined, true],
  ] as const) {
    const item = { id: newItemId(time.now), fields: { text: 'ü' }, createdAt: time.now, shown, bytes: 13 };
    await store.create(collection, { ...item, ...(tally && { tally }) });
  }
  const [deleted] = (await store.list('b', { limit: 1, shownOnly: true })).items;
  await store.remove('b', deleted as Item);
  const before = [await store.state('a'), await store.state('b'), await store.totals()] as const;
  const Key = { site: 'abcdefghijkl#1', key: 'state' };
  await db.send(
    new UpdateCommand({
      TableName: table,
      Key,
      UpdateExpression: 'SET #a = :wrong, #b = :wrong, #c = :wrong, #d = :wrong',
      ExpressionAttributeNames: { '#a': 'items', '#b': 'items:b', '#c': 'tally:a:y', '#d': 'bytes' },
      ExpressionAttributeValues: { ':wrong': 7 },
    }),
  );
  await recount(Key.site, db, table);
  const { revision } = before[0];
  expect([await store.state('a'), await store.state('b'), await store.totals()]).toEqual([
    { ...before[0], revision: revision + 1 },
    before[1],
    before[2],
  ]);
});
