import { takeOriginFaults } from '../support/origin-faults.ts';
import { newCaller } from './client.ts';
import { startVariant, type Variant } from './variant.ts';

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
    expect((await visit('1')).text).toBe('<title>Next</title>');
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
    expect((await caller.send(`/d/${before.json.id}/`)).text).toContain('Still here');
  });
});
