import type { DataStore, NewItem } from '../../../../lambda/sites/data/store.ts';

let last = 0;

/** Returns an item whose id sorts behind the earlier ones. */
export function newItem(more: Partial<NewItem> = {}): NewItem {
  const number = ++last;
  return {
    id: `i${String(number).padStart(6, '0')}`,
    fields: { text: `text ${number}` },
    createdAt: 1_800_000_000_000 + number,
    shown: true,
    bytes: 20,
    ...more,
  };
}

/** What every `DataStore` does. @param open returns the empty data of a new site */
export function describeDataStore(name: string, open: () => DataStore | Promise<DataStore>): void {
  describe(name, () => {
    let store: DataStore;
    beforeEach(async () => {
      store = await open();
    });
    const ids = async (request: Partial<Parameters<DataStore['list']>[1]>) => {
      const page = await store.list('a', { limit: 10, shownOnly: false, ...request });
      return { ids: page.items.map(({ id }) => id), next: page.next };
    };

    it('returns an item as it was created', async () => {
      const item = newItem({ author: 'ann', endsAt: 1_900_000_000_000 });
      const { bytes: _, ...expected } = { ...item, updatedAt: item.createdAt, revision: 1 };
      expect(await store.create('a', item)).toEqual(expected);
      expect(await store.get('a', item.id)).toEqual(expected);
      expect(await store.get('b', item.id)).toBeUndefined();
      expect(await store.state('a')).toMatchObject({ items: 1, waiting: 0, tally: {} });
      expect(await store.state('b')).toMatchObject({ items: 0, waiting: 0, tally: {} });
    });

    it('lists the newest first, in pages, by author and by what is shown', async () => {
      const items = [newItem(), newItem({ author: 'ann' }), newItem({ author: 'ann', shown: false })];
      for (const item of items) await store.create('a', item);
      const [first = '', second = '', third = ''] = items.map(({ id }) => id);
      expect(await ids({})).toEqual({ ids: [third, second, first], next: undefined });
      const page = await ids({ limit: 2 });
      expect(page).toEqual({ ids: [third, second], next: second });
      expect((await ids({ limit: 2, before: page.next })).ids).toEqual([first]);
      expect((await ids({ author: 'ann' })).ids).toEqual([third, second]);
      expect((await ids({ shownOnly: true })).ids).toEqual([second, first]);
      expect((await ids({ shownOnly: true, author: 'ann' })).ids).toEqual([second]);
    });

    it('ends a page after 1 MB', async () => {
      const text = 'x'.repeat(16_000);
      for (let count = 0; count < 70; count++) await store.create('a', newItem({ fields: { text }, bytes: 16_011 }));
      const page = await store.list('a', { limit: 100, shownOnly: true });
      expect(page.items.length).toBeLessThan(70);
      const rest = await store.list('a', { limit: 100, shownOnly: true, before: page.next });
      expect(page.items.length + rest.items.length).toBe(70);
    });

    it('keeps the most items and unique values, until one is removed', async () => {
      const item = newItem({ unique: 'a@b.c', most: 2 });
      const created = await store.create('a', item);
      if (typeof created === 'string') throw new Error(created);
      expect(await store.create('a', newItem({ unique: 'a@b.c', most: 2 }))).toBe('duplicate');
      expect(await store.create('b', newItem({ unique: 'a@b.c', most: 2 }))).toMatchObject({ revision: 1 });
      await store.create('a', newItem({ unique: 'other', most: 2 }));
      expect(await store.create('a', newItem({ unique: 'third', most: 2 }))).toBe('full');
      expect(await store.state('a')).toMatchObject({ items: 2 });
      expect(await store.remove('a', created)).toBe(true);
      expect(await store.remove('a', created)).toBe(false);
      expect(await store.get('a', item.id)).toBeUndefined();
      expect(await store.create('a', newItem({ unique: 'a@b.c', most: 2 }))).toMatchObject({ revision: 1 });
    });

    it('creates a repeatable item once', async () => {
      const item = newItem({ repeatable: true, unique: 'ann', most: 1 });
      const created = await store.create('a', item);
      expect(await store.create('a', { ...item, createdAt: item.createdAt + 5 })).toEqual(created);
      expect(await store.state('a')).toMatchObject({ items: 1 });
    });

    it('changes an item that is as it was read', async () => {
      const before = await store.create('a', newItem());
      if (typeof before === 'string') throw new Error(before);
      const change = { fields: { text: 'new' }, bytes: 14, shown: true, at: before.createdAt + 9 };
      const after = await store.update('a', before, change);
      expect(after).toEqual({
        ...before,
        fields: { text: 'new' },
        updatedAt: before.createdAt + 9,
        revision: 2,
      });
      expect(await store.get('a', before.id)).toEqual(after);
      expect(await store.update('a', before, change)).toBeUndefined();
      await store.remove('a', before);
      if (typeof after === 'object') expect(await store.update('a', after, change)).toBeUndefined();
    });

    it('counts what is tallied and what waits', async () => {
      const state = async () => {
        const { items, waiting, tally } = await store.state('a');
        return [items, waiting, Object.fromEntries(Object.entries(tally).filter(([, count]) => count > 0))];
      };
      const shown = await store.create('a', newItem({ tally: 'x' }));
      const waits = await store.create('a', newItem({ shown: false }));
      if (typeof shown === 'string' || typeof waits === 'string') throw new Error('not created');
      expect(await state()).toEqual([2, 1, { x: 1 }]);
      const approval = { fields: waits.fields, bytes: 20, shown: true, at: 1 };
      const approved = await store.update('a', waits, { ...approval, tally: { from: undefined, to: 'x' } });
      expect(await state()).toEqual([2, 0, { x: 2 }]);
      if (typeof approved !== 'object') throw new Error('not approved');
      await store.update('a', approved, { ...approval, tally: { from: 'x', to: 'y' } });
      expect(await state()).toEqual([2, 0, { x: 1, y: 1 }]);
      await store.remove('a', shown);
      expect(await state()).toEqual([1, 0, { y: 1 }]);
    });

    it('has another revision after each change', async () => {
      const revisions = [(await store.state('a')).revision];
      const note = async () => revisions.push((await store.state('a')).revision);
      const created = await store.create('a', newItem());
      if (typeof created === 'string') throw new Error(created);
      await note();
      await store.update('a', created, { fields: {}, bytes: 2, shown: true, at: 1 });
      await note();
      await store.remove('a', created);
      await note();
      expect(new Set(revisions).size).toBe(4);
    });
  });
}
