import { type ApiKey, keyId, verdictOn } from '../../../lambda/access/api-key.ts';
import { type CanaryStage, Identity, runCanary } from '../../../lambda/canary/run.ts';
import type { CanarySettings } from '../../../lambda/canary/settings.ts';
import type { Received, Service } from '../../../lambda/canary/steps.ts';
import { CANARY_KEY_ID } from '../../../lambda/platform/env.ts';
import { logLines } from '../../support/log-lines.ts';
import { testRows } from '../../support/rows.ts';

const BASE = 'https://ptp.example.com';
const PAGE = `${BASE}/d/abcdefghijkl`;
const SITE = 'https://abcdefghijkl.sites.example.com/';
/** Five minutes past the hour. */
const NOW = Date.UTC(2026, 10, 24, 10, 5);

/** How the service behaves in a run; by default, correctly. */
interface Behavior {
  /** The content that visitors get. */
  readonly file?: string;
  readonly live?: string;
  readonly closed?: readonly string[];
  readonly statuses?: Readonly<Record<string, number>>;
  readonly settings?: Partial<CanarySettings>;
  readonly now?: number;
  readonly revoked?: boolean;
  /** Whether the state of the stage cannot be read. */
  readonly unreadable?: boolean;
}

/** Returns the requests of a run, its metrics by name, and its lines about failed steps. */
async function run(behavior: Behavior = {}) {
  const { now = NOW, file = String(now), live = 'v2', closed = [], statuses = {} } = behavior;
  const requests: string[] = [];
  const bodies: Readonly<Record<string, unknown>> = {
    'GET /api/v1/deployments?limit=1': { items: [{ id: 'abcdefghijkl', url: PAGE, siteUrl: SITE }] },
    'GET /api/v1/deployments/abcdefghijkl': { version: live },
    'POST /api/v1/deploy': { id: 'abcdefghijkl', url: PAGE },
    'POST /api/v1/generate': { files: [{ path: 'index.html' }] },
  };
  const respond = async (request: string, text: string): Promise<Received> => {
    requests.push(request);
    const headers = new Headers({
      etag: '"v2"',
      link: `<${SITE}>; rel="canonical"`,
      'x-request-id': 'r1',
      'x-cache': 'Hit from cloudfront',
    });
    return { request, status: statuses[request] ?? 200, headers, text };
  };
  const service = {
    api: (_key: string, method: string, path: string) =>
      respond(`${method} ${path}`, JSON.stringify(bodies[`${method} ${path}`] ?? {})),
    visit: (url: URL) => respond(`GET ${url.href}`, file),
  } satisfies Pick<Service, keyof Service>;
  const ports: CanaryStage = {
    service: service as unknown as Service,
    key: async () => {
      if (behavior.revoked) throw new Error('The conditional request failed');
      return 'ptp_key';
    },
    isClosed: async (closure) => {
      if (behavior.unreadable) throw new Error('The table is unreachable');
      return closed.includes(closure);
    },
    settings: { staleMs: 0, ...behavior.settings },
    clock: () => now,
  };
  return { requests, ...(await reported(() => runCanary(ports))) };
}

async function reported(perform: () => Promise<void>) {
  process.env.METRICS_NAMESPACE = 'test';
  logLines.length = 0;
  await perform();
  delete process.env.METRICS_NAMESPACE;
  const lines = logLines.map((line) => JSON.parse(line));
  const metrics = Object.assign({}, ...lines.filter(({ _aws }) => _aws !== undefined));
  return { metrics, failures: lines.filter(({ level }) => level === 'ERROR') };
}

const DEPLOYS = [
  'GET /api/v1/providers',
  'POST /api/v1/deploy',
  'GET /api/v1/deployments/abcdefghijkl',
  `GET ${PAGE}/canary.txt`,
  `GET ${SITE}canary.txt`,
];

test('a run deploys, reads back and visits every address, and reports success', async () => {
  const { requests, metrics, failures } = await run();
  expect(requests).toEqual(DEPLOYS);
  expect(metrics).toMatchObject({ CanaryFailures: 0, CanaryMs: 0 });
  expect(failures).toEqual([]);
});

testRows<[string, Behavior, object]>([
  [
    'visit',
    { file: String(NOW - 300_000) },
    {
      expected: `${PAGE}/canary.txt to have ${NOW} or later`,
      found: `${NOW - 300_000} (Hit from cloudfront)`,
      requestId: 'r1',
    },
  ],
  ['visit', { statuses: { [`GET ${SITE}canary.txt`]: 404 } }, { found: expect.stringMatching(/^404/) }],
  ['read', { live: 'v1' }, { expected: 'version v2 to be live', found: 'v1' }],
  ['deploy', { statuses: { 'POST /api/v1/deploy': 429 } }, { found: expect.stringMatching(/^429/) }],
  ['api', { statuses: { 'GET /api/v1/providers': 502 } }, { found: expect.stringMatching(/^502/) }],
  ['key', { revoked: true }, { message: 'The conditional request failed' }],
])('reports a failed step: %s', async (step, behavior, line) => {
  const { metrics, failures } = await run(behavior);
  expect(metrics.CanaryFailures).toBe(1);
  expect(failures).toEqual([expect.objectContaining({ event: 'canary step failed', step, ...line })]);
});

test('a page that the edge may cache fails only if it is too old', async () => {
  const settings = { staleMs: 330_000 };
  expect((await run({ settings, file: String(NOW - 330_000) })).metrics.CanaryFailures).toBe(0);
  expect((await run({ settings, file: String(NOW - 330_001) })).metrics.CanaryFailures).toBe(1);
});

test('skips operations that the operator closed, and visits the existing page', async () => {
  const settings = { generate: { model: 'provider-a', every: 'run' } } as const;
  const found = await run({ settings, closed: ['all'], file: 'of an earlier run' });
  expect(found.metrics.CanaryFailures).toBe(0);
  expect(found.requests).toEqual([
    'GET /api/v1/providers',
    'GET /api/v1/deployments?limit=1',
    `GET ${PAGE}/canary.txt`,
    `GET ${SITE}canary.txt`,
  ]);
  const onlyDeploys = await run({ settings, closed: ['deploy'], file: '' });
  expect(onlyDeploys.requests).toContain('POST /api/v1/generate');
});

test('continues with the other steps if the state of the stage cannot be read', async () => {
  const { requests, failures } = await run({ unreadable: true });
  expect(failures).toEqual([expect.objectContaining({ step: 'state', message: 'The table is unreachable' })]);
  expect(requests).toEqual(DEPLOYS);
});

testRows<['run' | 'hour', number, boolean]>([
  ['run', NOW, true],
  ['hour', NOW, false],
  ['hour', NOW - 1, true],
])('generates with every %s', async (every, now, expected) => {
  const { requests } = await run({ now, settings: { generate: { model: 'auto', every } } });
  expect(requests.includes('POST /api/v1/generate')).toBe(expected);
});

test('the canary renews its key for each run, and keeps it during a run', async () => {
  let now = 1_000;
  const records: ApiKey[] = [];
  const renew = async (record: ApiKey) => void records.push(record);
  const identity = new Identity(renew, () => now);
  const first = await identity.key();
  expect(keyId(first)).toBe(CANARY_KEY_ID);
  expect(records).toMatchObject([{ id: CANARY_KEY_ID, name: 'canary', scopes: [] }]);
  expect(verdictOn(records[0] as ApiKey, first, now)).toBe('valid');
  expect(verdictOn(records[0] as ApiKey, first, now + 900_000)).toBe('expired');
  expect(await identity.key()).toBe(first);
  now += 300_000;
  const second = await identity.key();
  expect(second).not.toBe(first);
  expect(verdictOn(records[1] as ApiKey, first, now)).toBe('wrong');
});

test('a key that was not stored is not used', async () => {
  const failures = [new Error('The conditional request failed')];
  const renew = async () => {
    const failure = failures.pop();
    if (failure) throw failure;
  };
  const identity = new Identity(renew, () => 0);
  await expect(identity.key()).rejects.toThrow('conditional');
  await expect(identity.key()).resolves.toMatch(/^ptp_/);
});
