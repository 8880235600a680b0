import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { main } from '../../../cli/keys.ts';
import { closeAtEnd } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { openEvents, until } from '../../support/cloud/events.ts';
import { operate } from '../../support/cloud/keys.ts';
import { NO_RATE_LIMIT, startVariant } from '../../support/cloud/variant.ts';
import { takeOriginFaults } from '../../support/origin-faults.ts';
import { type Step, startVendor } from '../../support/vendors/index.ts';

/** A server that reads requests and never responds, as a service that hangs. */
interface SilentServer {
  /** How many requests it got. */
  requests(): number;
  /** Closes its connections, and stops to listen. */
  close(): Promise<void>;
}

async function startSilentServer(port: number): Promise<SilentServer> {
  let requests = 0;
  const server = createServer(() => {
    requests++;
  });
  server.listen(port);
  await once(server, 'listening');
  return {
    requests: () => requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const PAGE = { files: [{ path: 'index.html', content: '<title>Still here</title>' }] };

/** The least time that a visit takes which waits for all attempts of a read. */
const VISIT_MS = 900;

const PATHS = Array.from({ length: 20 }, (_, i) => `page-${String(i).padStart(2, '0')}.md`);
/** A script that takes about a second to write twenty files. */
const SLOW: Step[] = [
  ...PATHS.flatMap((path): Step[] => [{ text: `<file path="${path}">\nThis is ${path}.\n</file>\n` }, { wait: 50 }]),
  { text: '<done/>\n' },
  { finish: 'complete' },
];

/**
 * Calls that use only the limiter's table. They are invalid where valid ones would have an effect, so that admitted
 * ones fail validation, which needs no table.
 */
const CALLS: [name: string, method: string, path: string, live: number, unreachable: number][] = [
  ['generate', 'POST', '/api/v1/generate', 400, 503],
  ['deploy', 'POST', '/api/v1/deploy', 400, 502],
  ['assets', 'POST', '/api/v1/assets/user-assets/', 400, 503],
  ['usage', 'GET', '/api/v1/usage?from=yesterday', 400, 503],
  ['no route', 'POST', '/api/v1/nothing', 404, 503],
];

const vendor = await startVendor('openai-compatible', SLOW);
const provider = { kind: 'openai-compatible', model: 'm', baseUrl: vendor.baseUrl };
const running = closeAtEnd(await startVariant({ ...NO_RATE_LIMIT, PROVIDERS: { 'provider-a': provider } }));
afterAll(() => vendor.close());

describe('an outage of the storage during a generation', () => {
  /** Kills the backend once the provider is called, and restarts it after `ms`. */
  const outage = async (ms: number) => {
    const before = vendor.requests.length;
    await until(async () => vendor.requests.length > before);
    await running.killBackend();
    await setTimeout(ms);
    await running.startBackend();
  };

  it.each([0, 1_500])('of %i ms does not affect the files and id that a waiting caller gets', async (ms) => {
    const before = vendor.requests.length;
    const caller = newCaller(running.baseUrl);
    const [answer] = await Promise.all([caller.post('/api/v1/generate', { prompt: 'a page' }), outage(ms)]);
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'x-generation-id': expect.any(String), 'x-generation-status': 'succeeded' },
    });
    expect(answer.json.files.map(({ path }: { path: string }) => path)).toEqual(PATHS);
    // One attempt: the provider was not paid twice.
    expect(vendor.requests.length - before).toBe(1);
  });

  it('does not interrupt an event stream', async () => {
    const url = new URL('/api/v1/generate', running.baseUrl);
    const { address } = newCaller(running.baseUrl);
    const sent = { method: 'POST', body: { prompt: 'a page' }, localAddress: address };
    const [source] = await Promise.all([openEvents(url, sent), outage(500)]);
    await source.ended;
    const files = source.events.filter(({ event }) => event === 'file');
    expect(files.map(({ data }) => data.path)).toEqual(PATHS);
    expect(source.events.at(-1)?.event).toBe('done');
  });
});

describe('while the deployment backend is unreachable', () => {
  it('a page is still served by the edge locations that have it, and is current once the backend is back', async () => {
    const caller = newCaller(running.baseUrl);
    const first = await caller.post('/api/v1/deploy', { ...PAGE, projectId: 'outage' });
    const visit = (edge: string) => caller.send(`/d/${first.json.id}/`, { headers: { 'x-local-edge': edge } });
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
    const waits: number[] = [];
    // Some wait for all attempts, since the function probes storage every half second; without a memory of it, all of them would.
    while (waits.length < 3 || Math.min(...waits) >= VISIT_MS) {
      const begin = performance.now();
      expect(await visit()).toMatchObject({ status: 200, text: PAGE.files[0]?.content });
      waits.push(performance.now() - begin);
    }
    expect(takeOriginFaults()).toHaveLength(waits.length);
    expect(storage.requests()).toBeGreaterThan(0);

    await storage.close();
    await running.startBackend();
    await until(
      async () =>
        (await visit()).headers['x-cache'] === 'RefreshHit from cloudfront' && takeOriginFaults().length === 0,
    );
  });

  it('a deploy returns 502, other calls 503, and nothing is lost once it is back', async () => {
    const caller = newCaller(running.baseUrl);
    const before = await caller.post('/api/v1/deploy', { ...PAGE, projectId: 'kept' });
    expect(before.status).toBe(201);

    await running.killBackend();
    const away = await caller.post('/api/v1/deploy', PAGE);
    expect(away.status).toBe(502);
    expect(away.headers['retry-after']).toBe('2');
    expect(away.json).toEqual({
      error: 'The deployment backend is unreachable; no partial changes are visible. Try again in a few seconds',
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
    // A function does not call storage for some seconds after it was unreachable.
    await until(async () => {
      const { status, json } = await caller.post('/api/v1/deploy', { ...PAGE, projectId: 'kept' });
      if (status === 200) expect(json).toEqual(before.json);
      return status === 200;
    });
    await until(async () => (await caller.send(`/d/${before.json.id}/`)).text.includes('Still here'));
  });
});

describe('while the limiter’s table is unreachable', () => {
  let known: string;
  let unknown: string;

  const newKey = async () => {
    const create = ['create', '--name', 'n', '--scopes', 'assets:write'];
    return (await operate(main, create, running.stateDir)).trim();
  };
  const call = (method: string, path: string, key?: string) =>
    newCaller(running.baseUrl).send(path, {
      method,
      headers: key === undefined ? {} : { 'x-api-key': key },
      ...(method === 'POST' ? { body: { attributes: 7 } } : {}),
    });

  beforeAll(async () => {
    [known, unknown] = [await newKey(), await newKey()];
    await Promise.all(
      CALLS.map(async ([, method, path, live]) => expect((await call(method, path, known)).status).toBe(live)),
    );
    await running.killBackend();
  });
  afterAll(() => running.startBackend());

  /** Tests every call with an address, with a key that the function has cached, and with one that it has not. */
  const refusesAll = () => {
    let calls: Map<string, ReturnType<typeof call>[]> | undefined;
    /** All at once, since they wait for the timeouts of their functions. */
    const callAll = () =>
      new Map(
        CALLS.map(([name, method, path]) => [name, [undefined, known, unknown].map((key) => call(method, path, key))]),
      );

    it.each(CALLS)('%s is rejected', async (name, _method, _path, _live, unreachable) => {
      calls ??= callAll();
      const answers = await Promise.all(calls.get(name) ?? []);
      expect(answers).toHaveLength(3);
      for (const { status, headers, text, json } of answers) {
        expect({ status, text }).toEqual({
          status: unreachable,
          text: expect.stringMatching(/Try again in a few/),
        });
        expect(headers).toMatchObject({
          'content-type': 'application/json',
          'retry-after': expect.stringMatching(/^[1-9]\d*$/),
          'x-request-id': expect.any(String),
        });
        expect(json).toEqual({ error: expect.stringMatching(/cannot be reached|is unreachable/) });
        expect(text).not.toMatch(/\n\s+at |node_modules|127\.0\.0\.1|ECONN|Timeout/);
      }
    });
  };

  describe('and refuses connections', refusesAll);

  describe('and accepts connections without a response', () => {
    let silent: SilentServer;

    beforeAll(async () => {
      silent = await startSilentServer(running.backendPort);
    });
    afterAll(async () => {
      expect(silent.requests()).toBeGreaterThan(0);
      await silent.close();
    });

    refusesAll();
  });
});
