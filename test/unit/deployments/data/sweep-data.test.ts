import { type SweptData, sweepData } from '../../../../lambda/deployments/sweep.ts';
import type { EndedItem } from '../../../../lambda/stored/data/site-data-table.ts';

const item = (id: string): EndedItem => ({ site: 'b#1', collection: 'c', id });

interface Made {
  readonly data: SweptData;
  readonly done: string[];
}

function made({ sites = {}, items = [] }: { sites?: Record<string, number>; items?: EndedItem[] }): Made {
  const done: string[] = [];
  const left = { ...sites };
  const data: SweptData = {
    endSite: async () => {},
    ended: async (shard) => (shard === 'b' ? { sites: Object.keys(left), items } : { sites: [], items: [] }),
    deleteAll: async (site) => {
      if (site === 'broken') throw new Error('unreachable');
      done.push(site);
      left[site] = (left[site] ?? 0) - 1;
      return left[site] <= 0;
    },
    removeEnded: async ({ id }) => {
      if (id === 'broken') throw new Error('unreachable');
      done.push(id);
      return true;
    },
  };
  return { data, done };
}

test('deletes sites in parts, and items whose time has come; a failure does not stop it', async () => {
  const { data, done } = made({ sites: { broken: 1, large: 3 }, items: ['broken', 'i', 'j'].map(item) });
  await sweepData('abc', data, () => 0);
  expect(done).toEqual(['large', 'large', 'large', 'i', 'j']);
});

test('leaves to the next sweep what it has no time for', async () => {
  const { data, done } = made({ sites: { large: 100 }, items: [item('i')] });
  let now = 0;
  await sweepData('b', data, () => (now += 100_000));
  expect(done).toEqual(['large']);
});
