import { newCaller } from '../../support/cloud/client.ts';
import { oneModel } from '../clouds.ts';

const HASHED = 'assets/index-BkC3x9aZ.js';
const EDGES = ['0', '1', '2', '3', '4'];

const running = await oneModel();

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

  it('reaches the edges although the function that invalidates dies', async () => {
    const site = await deployed();
    expect((await site.remove()).status).toBe(200);
    await running.crash('Withdraw');
    await gone(site);
  });
});
