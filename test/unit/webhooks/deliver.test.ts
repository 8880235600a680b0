import { Webhook } from 'standardwebhooks';
import type { Delivery } from '../../../lambda/contract/responses/webhooks.ts';
import { dataDelivery } from '../../../lambda/data/serve.ts';
import { type DeliveryStage, deliver } from '../../../lambda/webhooks/deliver.ts';
import { WebhookSecretStore } from '../../../lambda/webhooks/secret-store.ts';
import { logLines } from '../../support/log-lines.ts';
import { intercept, startMemoryDynamoDB } from '../../support/memory-dynamodb.ts';

const OWNER = 'key:abc';
const DELIVERY: Delivery = {
  id: 'generation-g1-1',
  url: 'https://user.example/hooks?token=hidden',
  owner: OWNER,
  event: {
    type: 'generation.succeeded',
    timestamp: '2026-11-22T12:00:00.000Z',
    data: { id: 'g1', status: 'succeeded', url: '/api/v1/generations/g1' },
  },
};
const BODY = {
  ...DELIVERY.event,
  data: { id: 'g1', status: 'succeeded', url: 'https://ptp.example/api/v1/generations/g1' },
};

const table = await startMemoryDynamoDB('secrets', 'owner');
const secrets = new WebhookSecretStore(table.db, 'secrets');

/** Ports whose receiver responds with these statuses or errors in turn; `sent` has what it was sent. */
function ports(...received: (number | Error)[]) {
  const sent: { url: string; headers: Record<string, string>; body: string }[] = [];
  const all: DeliveryStage = {
    secrets,
    post: async (url, headers, body) => {
      const answer = received[sent.push({ url, headers: { ...headers }, body }) - 1];
      if (typeof answer !== 'number') throw answer;
      return answer;
    },
    retrySeconds: [5, 300],
    baseUrl: 'https://ptp.example',
    clock: Date.now,
  };
  return { sent, all };
}

it('notifies the owner of an item, without what it says', async () => {
  const deployment = { id: 'd1', owner: OWNER, dataWebhook: 'https://user.example/items' };
  const item = { id: 'i1', createdAt: Date.UTC(2026, 10, 29), fields: { email: 'a@example.com' } };
  const delivery = dataDelivery(deployment, 'messages', item);
  const { sent, all } = ports(204);
  await deliver(delivery as Delivery, all);
  expect(sent.map(({ url, body }) => [url, JSON.parse(body)])).toEqual([
    [
      'https://user.example/items',
      {
        type: 'data.created',
        timestamp: '2026-11-29T00:00:00.000Z',
        data: {
          id: 'd1',
          collection: 'messages',
          item: 'i1',
          url: 'https://ptp.example/api/v1/deployments/d1/data/messages/i1',
        },
      },
    ],
  ]);
  expect(dataDelivery({ ...deployment, owner: 'anonymous' }, 'messages', item)).toBeUndefined();
  expect(dataDelivery({ id: 'd1', owner: OWNER }, 'messages', item)).toBeUndefined();
});

it('sends what a library of Standard Webhooks verifies', async () => {
  const { sent, all } = ports(204);
  expect(await deliver(DELIVERY, all)).toEqual({
    ...DELIVERY,
    attempts: 1,
    status: 'delivered',
  });
  const [{ url, headers, body }] = sent as [(typeof sent)[number]];
  expect(url).toBe(DELIVERY.url);
  expect(headers['webhook-id']).toBe('generation-g1-1');
  const { secret } = await secrets.get(OWNER);
  expect(new Webhook(secret).verify(body, headers)).toEqual(BODY);
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature');
  const other = (await secrets.get('key:other')).secret;
  expect(() => new Webhook(other).verify(body, headers)).toThrow('No matching signature');
});

it('signs with the former secret as well, until the grace time is over', async () => {
  const owner = 'key:rotated';
  const { secret: former } = await secrets.get(owner);
  const { secret } = await secrets.rotate(owner, Date.now() + 60_000);
  expect(secret).not.toBe(former);
  const { sent, all } = ports(200, 200);
  await deliver({ ...DELIVERY, owner }, all);
  const { former: kept } = await secrets.rotate(owner, Date.now() - 1);
  expect(kept).toBe(secret);
  await deliver({ ...DELIVERY, owner }, all);
  const [first, second] = sent as [(typeof sent)[number], (typeof sent)[number]];
  for (const valid of [former, secret]) expect(new Webhook(valid).verify(first.body, first.headers)).toEqual(BODY);
  for (const old of [former, secret]) expect(() => new Webhook(old).verify(second.body, second.headers)).toThrow();
});

it('keeps the secret of an owner, with 256 bits', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => secrets.get('key:many')));
  expect(new Set(all.map(({ secret }) => secret)).size).toBe(1);
  const [{ secret } = { secret: '' }] = all;
  expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
});

it('rotates a secret that nobody asked for yet', async () => {
  const { secret, former } = await secrets.rotate('key:new', Date.now() + 1_000);
  expect(secret).toMatch(/^whsec_/);
  expect(former).toMatch(/^whsec_/);
});

it('rotates a secret once, also if the response is lost', async () => {
  const { secret: old } = await secrets.get('key:lost');
  let rotations = 0;
  // The client repeats a request whose response is lost.
  intercept(table.db, async (call, { input }) => {
    if (JSON.stringify(input).includes('former = secret') && rotations++ === 0) await call();
    return call();
  });
  const { secret, former } = await secrets.rotate('key:lost', Date.now() + 1_000);
  expect([former, rotations]).toEqual([old, 1]);
  expect(await secrets.get('key:lost')).toMatchObject({ secret, former });
});

it('waits after a failure, up to a fifth longer than configured, and sends the same notification again', async () => {
  const { sent, all } = ports(500, new Error('connect ECONNREFUSED 192.0.2.1:443'), 302);
  const first = await deliver(DELIVERY, all);
  expect(first).toMatchObject({ attempts: 1, status: 'waiting' });
  const second = await deliver(first, all);
  expect(second).toMatchObject({ attempts: 2, status: 'waiting' });
  const third = await deliver(second, all);
  expect(third).toEqual({ ...DELIVERY, attempts: 3, status: 'failed' });
  const pauses = [first, second].map(({ waitSeconds = 0 }) => waitSeconds);
  for (const [i, [least, most]] of [
    [5, 6],
    [300, 360],
  ].entries()) {
    expect(Number.isInteger(pauses[i])).toBe(true);
    expect(pauses[i]).toBeGreaterThanOrEqual(Number(least));
    expect(pauses[i]).toBeLessThanOrEqual(Number(most));
  }
  expect(new Set(sent.map(({ body, headers }) => `${body} ${headers['webhook-id']}`)).size).toBe(1);
  expect(logLines.map((line) => JSON.parse(line).reason)).toEqual([
    'Status 500',
    'Error: connect ECONNREFUSED 192.0.2.1:443',
    'Status 302: redirects are not followed',
  ]);
});

it('stops when the receiver is gone', async () => {
  expect(await deliver(DELIVERY, ports(410).all)).toMatchObject({ status: 'unwanted' });
});

it('logs neither path nor query nor secret', async () => {
  await deliver(DELIVERY, ports(200).all);
  await deliver(DELIVERY, ports(500).all);
  const { secret } = await secrets.get(OWNER);
  for (const line of logLines) {
    expect(line).toContain('https://user.example"');
    for (const hidden of ['hidden', 'hooks', secret]) expect(line).not.toContain(hidden);
  }
});

it('fails without a signature when the secrets cannot be read', async () => {
  const { sent, all } = ports(200);
  const secretsDown = { get: () => Promise.reject(new Error('unreachable')) };
  await expect(deliver(DELIVERY, { ...all, secrets: secretsDown })).rejects.toThrow('unreachable');
  expect(sent).toEqual([]);
});
