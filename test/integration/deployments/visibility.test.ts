import { newCaller } from '../../support/cloud/client.ts';
import { NO_RATE_LIMIT, startVariant, type Variant } from '../../support/cloud/variant.ts';
import { everyEdgeSeesEachDeploy } from '../../support/visibility.ts';

const HASHED = 'assets/index-BkC3x9aZ.js';
const EDGES = ['0', '1', '2', '3', '4'];

const SOON = { invalidationSeconds: { effect: [0.5, 1], completion: [1, 1.5] } } as const;

let running: Variant;
beforeAll(async () => {
  running = await startVariant(NO_RATE_LIMIT, SOON);
});
afterAll(() => running.close());

it('the first load after the response of a deploy sees its version at every edge', async () => {
  expect(await everyEdgeSeesEachDeploy(running.baseUrl, 2)).toBeGreaterThan(0);
});

describe('a deletion', () => {
  async function deployed() {
    const caller = newCaller(running.baseUrl);
    const files = [
      { path: 'index.html', content: '<title>Page</title>' },
      { path: HASHED, content: 'chunk' },
    ];
    const { json, headers } = await caller.post('/api/v1/deploy', { files });
    const token = { 'x-deployment-token': String(headers['x-deployment-token']) };
    const visit = (path: string, edge: string) =>
      caller.send(`/d/${json.id}/${path}`, { headers: { 'x-local-edge': edge } });
    const remove = () => caller.send(`/api/v1/deployments/${json.id}`, { method: 'DELETE', headers: token });
    for (const edge of EDGES) await visit(HASHED, edge);
    return { visit, remove };
  }

  /** Returns once no edge has a copy. */
  async function gone({ visit }: Awaited<ReturnType<typeof deployed>>): Promise<void> {
    for (;;) {
      const statuses = await Promise.all(EDGES.map(async (edge) => (await visit(HASHED, edge)).status));
      if (statuses.every((status) => status === 410)) return;
      for (const status of statuses) expect([200, 410]).toContain(status);
    }
  }

  it('is seen at once on pages, and on copies of hashed files before the time in its response', async () => {
    const site = await deployed();
    const { status, json } = await site.remove();
    expect([status, json.status]).toEqual([200, 'deleted']);
    for (const edge of EDGES) expect((await site.visit('', edge)).status).toBe(410);
    await gone(site);
    expect(Date.now()).toBeLessThan(json.copiesUntil);
  });

  it('reaches the edges although the function that invalidates dies', async () => {
    const site = await deployed();
    expect((await site.remove()).status).toBe(200);
    await running.crash('Withdraw');
    await gone(site);
  });
});

it('beyond the invalidations of a month, copies of hashed files stay until the time in the response', async () => {
  const variant = await startVariant({ ...NO_RATE_LIMIT, INVALIDATIONS_PER_MONTH: 1 }, SOON);
  try {
    const caller = newCaller(variant.baseUrl);
    const deleted = async (path: string) => {
      const files = [
        { path: 'index.html', content: '' },
        { path, content: 'chunk' },
      ];
      const { json, headers } = await caller.post('/api/v1/deploy', { files });
      const visit = async () => (await caller.send(`/d/${json.id}/${path}`)).status;
      expect(await visit()).toBe(200);
      const token = { 'x-deployment-token': String(headers['x-deployment-token']) };
      const gone = await caller.send(`/api/v1/deployments/${json.id}`, { method: 'DELETE', headers: token });
      return { visit, seconds: (gone.json.copiesUntil - gone.json.deletedAt) / 1_000 };
    };
    const plain = await deleted('app.js');
    expect([plain.seconds, await plain.visit()]).toEqual([0, 410]);
    const first = await deleted(HASHED);
    const second = await deleted(HASHED);
    expect([first.seconds, second.seconds]).toEqual([60, 86_400]);
    while ((await first.visit()) !== 410);
    expect(await second.visit()).toBe(200);
  } finally {
    await variant.close();
  }
});
