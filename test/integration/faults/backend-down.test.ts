import { newCaller } from '../../support/cloud/client.ts';
import { until } from '../../support/cloud/events.ts';
import { startVariant, type Variant } from '../../support/cloud/variant.ts';
import { takeOriginFaults } from '../../support/origin-faults.ts';
import { startSilentServer } from '../../support/silent-server.ts';

const PAGE = { files: [{ path: 'index.html', content: '<title>Still here</title>' }] };

describe('while the deployment backend is unreachable', () => {
  let running: Variant;
  beforeAll(async () => {
    running = await startVariant();
  });
  afterAll(() => running.close());

  it('a page is still served by the edge locations that have it, and is current once the backend is back', async () => {
    const caller = newCaller(running.baseUrl);
    const first = await caller.post('/api/v1/deploy', { ...PAGE, projectId: 'outage' });
    const visit = (edge: string) =>
      caller.send(`/d/${first.json.id}/`, { headers: { 'x-local-edge': edge } });
    expect((await visit('1')).status).toBe(200);

    await running.killBackend();
    expect(await visit('1')).toMatchObject({ status: 200, text: PAGE.files[0]?.content });
    expect((await visit('2')).status).toBe(503);
    expect(takeOriginFaults()).toHaveLength(1);

    await running.startBackend();
    const files = [{ path: 'index.html', content: '<title>Next</title>' }];
    expect((await caller.post('/api/v1/deploy', { files, projectId: 'outage' })).status).toBe(200);
    // The function does not call storage for some seconds after it was unreachable.
    await until(async () => (await visit('1')).text === '<title>Next</title>');
    takeOriginFaults();
  });

  it('that hangs, visits do not wait for it one after the other', async () => {
    const caller = newCaller(running.baseUrl);
    const { json } = await caller.post('/api/v1/deploy', PAGE);
    const visit = () => caller.send(`/d/${json.id}/`);
    expect((await visit()).status).toBe(200);

    await running.killBackend();
    const storage = await startSilentServer(running.backendPort);
    for (let i = 0; i < 30; i++)
      expect(await visit()).toMatchObject({ status: 200, text: PAGE.files[0]?.content });
    expect(takeOriginFaults()).toHaveLength(30);
    // Two calls of the first visit, and of one each time that the function probes storage again.
    expect(storage.requests()).toBeGreaterThan(0);
    expect(storage.requests()).toBeLessThan(30);

    await storage.close();
    await running.startBackend();
    await until(
      async () =>
        (await visit()).headers['x-cache'] === 'RefreshHit from cloudfront' &&
        takeOriginFaults().length === 0,
    );
  });

  it('a deploy returns 502, other calls 503, and nothing is lost once it is back', async () => {
    const caller = newCaller(running.baseUrl);
    const before = await caller.post('/api/v1/deploy', { ...PAGE, projectId: 'kept' });
    expect(before.status).toBe(201);

    await running.killBackend();
    const away = await caller.post('/api/v1/deploy', PAGE);
    expect(away.status).toBe(502);
    expect(away.json).toEqual({
      error:
        'The deployment backend is unreachable; no partial changes are visible. Try again in a few seconds',
    });
    const generate = await caller.post('/api/v1/generate', { prompt: 'a page' });
    expect(generate).toMatchObject({
      status: 503,
      json: { error: expect.stringContaining('Part of the service is unreachable') },
    });
    const page = await caller.send(`/d/${before.json.id}/`);
    expect(page).toMatchObject({
      status: 503,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    });

    await running.startBackend();
    const after = await caller.post('/api/v1/deploy', { ...PAGE, projectId: 'kept' });
    expect(after).toMatchObject({ status: 200, json: { ...before.json } });
    await until(async () => (await caller.send(`/d/${before.json.id}/`)).text.includes('Still here'));
  });
});
