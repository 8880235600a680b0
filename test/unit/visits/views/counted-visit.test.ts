import type { SiteResponse } from '../../../../lambda/sites/serving/respond.ts';
import type { Deployment } from '../../../../lambda/stored/deployment.ts';
import { countedVisit } from '../../../../lambda/visits/views/counted-visit.ts';
import type { View } from '../../../../lambda/visits/views/view.ts';
import { testRows } from '../../../support/rows.ts';

const ID = 'abcdefghijkl';
const REQUEST = {
  method: 'GET',
  rawPath: `/d/${ID}/`,
  headers: { 'x-ptp-navigation': '1', 'user-agent': 'Mozilla/5.0' },
};
const PAGE: SiteResponse = {
  status: 200,
  headers: { 'Content-Type': 'text/html' },
  body: new Uint8Array(),
  served: { path: '', isFile: true },
};

function counterOf(work: () => Promise<void> = async () => {}) {
  const calls: string[] = [];
  return {
    calls,
    counter: {
      prepare: (page: string) => void calls.push(`prepare ${page}`),
      count: async ({ page, names }: View) => {
        calls.push(`count ${page} ${names[0]?.[1]}`);
        await work();
      },
      writeOverdue: async () => {
        calls.push('write');
        await work();
      },
    },
  };
}
const DEPLOYMENT = { id: ID, domains: [{ domain: 'www.example.org' }] } as unknown as Deployment;
const respond = async (found: (deployment: Deployment) => void) => {
  found(DEPLOYMENT);
  return PAGE;
};
const siteOrigin = 'https://*.sites.example';

test('writes what is overdue with any visit, and counts a view', async () => {
  const { counter, calls } = counterOf();
  await countedVisit(REQUEST, respond, counter, siteOrigin);
  expect(calls).toEqual(['write', `prepare ${ID}`, `count ${ID} /`]);
  calls.length = 0;
  await countedVisit({ ...REQUEST, method: 'HEAD' }, respond, counter, siteOrigin);
  expect(calls).toEqual(['write']);
});

test('does not count the page itself as a site that refers to it', async () => {
  const named: string[] = [];
  const counter = {
    ...counterOf().counter,
    count: async ({ names }: View) => void named.push(names.map(([, name]) => name).join(' ')),
  };
  for (const host of ['www.example.org', `${ID}.sites.example`, 'example.net']) {
    const headers = { ...REQUEST.headers, referer: `https://${host}/other` };
    await countedVisit({ ...REQUEST, rawPath: `/own/${ID}/`, headers }, respond, counter, siteOrigin);
  }
  expect(named).toEqual(['/', '/', '/ example.net']);
});

test('counts nothing under an address where nothing is deployed', async () => {
  const { counter, calls } = counterOf();
  const { served: _, ...notice } = PAGE;
  await countedVisit(REQUEST, async () => ({ ...notice, status: 404 }), counter, siteOrigin);
  expect(calls).toEqual(['write']);
});

testRows([
  ['there is no counter', undefined],
  ['writes hang', counterOf(() => new Promise(() => {})).counter],
  ['writes fail', counterOf(() => Promise.reject(new Error('No connection'))).counter],
])('responds although nothing is counted', async (_, counter) => {
  expect(await countedVisit(REQUEST, respond, counter, siteOrigin)).toBe(PAGE);
});
