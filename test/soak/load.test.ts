import type { lookup } from 'node:dns';
import { createServer } from 'node:net';
import { main as keysMain } from '../../cli/keys.ts';
import { post } from '../../lambda/webhooks/post.ts';
import { newCaller } from '../support/cloud/client.ts';
import { until } from '../support/cloud/events.ts';
import { operate } from '../support/cloud/keys.ts';
import { NO_RATE_LIMIT, startVariant, type Variant } from '../support/cloud/variant.ts';
import { DEPLOYS_PER_BATCH, repeatsUnderItsKey, survivesCrashes } from '../support/deploy-faults.ts';
import { startReceiver } from '../support/receiver.ts';
import { serve } from '../support/serve.ts';
import { everyEdgeSeesEachDeploy } from '../support/visibility.ts';

const WEBHOOKS = 150;
const NAMES = 1_000;
const AT_ONCE = 8;
const GENERATIONS = 20;
const BATCHES = 6;
const ROUNDS = 30;

let running: Variant;
let trap: Awaited<ReturnType<typeof startTrap>>;
beforeAll(async () => {
  const variables = {
    ...NO_RATE_LIMIT,
    WEBHOOK_RETRY_SECONDS: Array.from({ length: 20 }, () => 1),
    // On two cores, many generations take longer than the suite's few seconds for a provider.
    DEADLINES: { providerTimeoutSeconds: 120, firstTokenSeconds: 45, stallSeconds: 30 },
  };
  const invalidationSeconds = { effect: [2, 10], completion: [10, 12] } as const;
  running = await startVariant(variables, { invalidationSeconds });
  trap = await startTrap();
});
afterAll(async () => {
  trap?.close();
  await running?.close();
});

/** A port on the loopback interface that nobody may connect to. */
async function startTrap() {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  return { ...(await serve(server)), connections: () => connections };
}

it(`${GENERATIONS} concurrent generations all succeed, each with its own project`, async () => {
  const responses = await Promise.all(
    Array.from({ length: GENERATIONS }, (_, i) =>
      newCaller(running.baseUrl).post('/api/v1/generate', { prompt: `a landing page called Site${i}x` }),
    ),
  );
  for (const [i, { status, text }] of responses.entries()) {
    expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
    expect(text).toContain(`Site${i}x`);
  }
});

it('the first load after the response of a deploy sees its version at every edge', async () => {
  expect(await everyEdgeSeesEachDeploy(running.baseUrl, ROUNDS)).toBeGreaterThan(ROUNDS);
});

it('delivers 150 webhooks to a receiver that fails 30 % of its requests, each at least once', async () => {
  const accepted = new Map<string, number>();
  let failed = 0;
  let received = 0;
  const { url, requests, close } = await startReceiver(({ path, json }) => {
    // Of ten in a row, three fail, of which one leads elsewhere.
    const chance = ((received++ * 7) % 10) / 10;
    if (chance >= 0.3) {
      accepted.set(path, (accepted.get(path) ?? 0) + 1);
      expect(json.type).toBe('deployment.created');
      return 204;
    }
    failed++;
    // No request must arrive there.
    return chance < 0.1 ? `http://127.0.0.1:${trap.port}/` : 503;
  });
  const key = (await operate(keysMain, ['create', '--name', 'soak'], running.stateDir)).trimEnd();
  const caller = newCaller(running.baseUrl);
  const names = Array.from({ length: WEBHOOKS }, (_, i) => `/${i}`);
  const rest = [...names];
  const deploys = Array.from({ length: AT_ONCE }, async () => {
    for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
      const body = { files: [{ path: 'index.html', content: name }], webhook: { url: url + name } };
      const { status } = await caller.post('/api/v1/deploy', body, { authorization: `Bearer ${key}` });
      expect(status).toBe(201);
    }
  });
  await Promise.all(deploys)
    .then(() => until(async () => accepted.size === WEBHOOKS))
    .finally(close);
  expect(names.filter((name) => !accepted.has(name))).toEqual([]);
  expect(requests.length).toBe(failed + [...accepted.values()].reduce((sum, times) => sum + times, 0));
  expect(failed / requests.length).toBeGreaterThan(0.2);
  expect(new Set(requests.map(({ id, path }) => `${id} ${path}`)).size).toBe(WEBHOOKS);
  expect(trap.connections()).toBe(0);
});

it('connects to no forbidden address, whatever the names resolve to, and however often that changes', async () => {
  const forbidden = ['127.0.0.1', '::1', '10.1.2.3', '169.254.169.254', '::ffff:127.0.0.1', 'fd00:ec2::254'];
  const one = () => forbidden[Math.trunc(Math.random() * forbidden.length)] ?? '';
  let lookups = 0;
  const resolve = (_: string, __: unknown, callback: (...result: unknown[]) => void) => {
    lookups++;
    // A public address beside it must not help.
    const addresses = Math.random() < 0.5 ? ['93.184.216.34', one()] : [one()];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  const options = { allowPrivate: false, resolve: resolve as unknown as typeof lookup };
  const attempts = Array.from({ length: NAMES }, (_, i) =>
    post(`https://receiver-${i}.example:${trap.port}/`, {}, '{}', options).then(
      () => 'delivered',
      (error: Error) => error.message,
    ),
  );
  for (const reason of await Promise.all(attempts)) expect(reason).toContain('must have public addresses only');
  expect(lookups).toBe(NAMES);
  expect(trap.connections()).toBe(0);
});

describe('a redeploy in which something dies', () => {
  it('can be repeated with its Idempotency-Key, and makes one version', () => repeatsUnderItsKey(running, 2));

  it('is seen as a whole or not at all', async () => {
    const cut = await survivesCrashes(running, { batches: BATCHES, backendDiesEvery: 3 });
    // Otherwise the crashes do not fall into the time that a deploy takes.
    expect(cut).toBeGreaterThan((DEPLOYS_PER_BATCH * BATCHES) / 8);
  });
});
