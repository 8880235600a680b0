import { MemoryStore } from '../../../../lambda/sites/data/memory-store.ts';
import { describeDataStore, newItem } from './store-contract.ts';

describeDataStore('MemoryStore', () => new MemoryStore());

it('has room for so many items and bytes', async () => {
  const store = new MemoryStore({ items: 2, bytes: 30 });
  await store.create('a', newItem({ bytes: 20 }));
  expect(await store.create('b', newItem({ bytes: 20 }))).toBe('site_full');
  await store.create('b', newItem({ bytes: 5 }));
  expect(await store.create('b', newItem({ bytes: 5 }))).toBe('site_full');
  const [item] = (await store.list('a', { limit: 1, shownOnly: true })).items;
  if (item === undefined) throw new Error('not created');
  const change = { fields: {}, shown: true, at: 1 };
  expect(await store.update('a', item, { ...change, bytes: 26 })).toBe('site_full');
  expect(await store.update('a', item, { ...change, bytes: 25 })).toMatchObject({ revision: 2 });
});
