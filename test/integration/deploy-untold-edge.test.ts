import { jest } from '@jest/globals';
import { newCaller } from './client.ts';
import { ROUND_FILES, roundOf, roundSite } from './round-site.ts';
import { NO_RATE_LIMIT, startVariant, type Variant } from './variant.ts';

const DEPLOY = '/api/v1/deploy';

/** Deployments cannot change while the CDN is unreachable, so that visitors see one complete version. */
describe('while the edge cache cannot be invalidated', () => {
  let running: Variant;

  beforeAll(async () => {
    // The local cloud logs denied calls to the console.
    jest.spyOn(console, 'log').mockImplementation(() => {});
    running = await startVariant({ ...NO_RATE_LIMIT, DISTRIBUTION_ID: 'ENOSUCHDISTRIBUTION' });
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await running.close();
  });

  /** Deploys a project and visits the given files, so that the edge caches them. */
  async function deployed(held: readonly string[]) {
    const caller = newCaller(running.baseUrl);
    const projectId = `untold-${Math.random()}`;
    const { status, json, headers } = await caller.post(DEPLOY, { projectId, files: roundSite(1) });
    expect(status).toBe(201);
    const path = `/d/${json.id}/`;
    for (const file of held) await caller.send(path + file);
    const seen = () =>
      Promise.all(ROUND_FILES.map(async (file) => roundOf(file, await caller.send(path + file))));
    const redeploy = () =>
      caller.post(DEPLOY, { projectId, files: roundSite(2) }, { 'idempotency-key': projectId });
    const token = { 'x-deployment-token': String(headers['x-deployment-token']) };
    return { caller, id: json.id as string, seen, redeploy, token };
  }

  it.each([[[]], [['index.html', 'app.js']], [ROUND_FILES]])(
    'a deploy returns 502 and changes nothing with %j in the edge cache',
    async (held) => {
      const { redeploy, seen } = await deployed(held);
      for (const _ of ['once', 'again']) {
        expect(await redeploy()).toMatchObject({
          status: 502,
          json: { error: expect.stringContaining('nothing was changed') },
          headers: { 'retry-after': '2' },
        });
        expect(await seen()).toEqual([1, 1, 1, 1]);
      }
    },
  );

  it('a rollback and a deletion change nothing', async () => {
    const { caller, id, seen, token } = await deployed(['index.html']);
    const path = `/api/v1/deployments/${id}`;
    const { version } = (await caller.send(path, { headers: token })).json;
    expect((await caller.send(path, { method: 'DELETE', headers: token })).status).toBe(502);
    expect((await caller.post(`${path}/rollback`, { version }, token)).status).toBe(502);
    expect(await seen()).toEqual([1, 1, 1, 1]);
  });

  it('the edge caches nothing of a deployment with an announced change', async () => {
    const { caller, id, redeploy } = await deployed([]);
    await redeploy();
    for (const _ of ['once', 'again']) {
      expect((await caller.send(`/d/${id}/`)).headers).toMatchObject({
        'cache-control': 'no-cache, stale-if-error=0',
        'x-cache': expect.not.stringContaining('Hit'),
      });
    }
  });
});
