import { Webhook } from 'standardwebhooks';
import { deploymentWebhook } from '../../../lambda/contract/responses/webhooks.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { until } from '../../support/cloud/events.ts';
import { keys, newKey } from '../../support/cloud/keys.ts';
import { closeReceivers, deliveryOver, received, receiver } from '../../support/cloud/webhooks.ts';

const DEPLOY = '/api/v1/deploy';

const FILES = [{ path: 'index.html', content: '<title>Page</title>' }];

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

const key = await newKey();

afterEach(closeReceivers);

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  newCaller().post(path, body, { ...bearer(key), ...headers });

describe('a webhook of a deploy', () => {
  const deploy = (projectId: string, webhook: object, headers = {}, content: string = crypto.randomUUID()) =>
    post(DEPLOY, { projectId, webhook, files: [...FILES, { path: 'a.txt', content }] }, headers);

  it('tells of each version, once for all requests with one Idempotency-Key', async () => {
    const to = await receiver();
    const projectId = crypto.randomUUID();
    const { json, headers } = await deploy(projectId, to);
    await received(to);
    const once = { 'idempotency-key': crypto.randomUUID() };
    for (let i = 0; i < 2; i++) expect((await deploy(projectId, to, once, 'same')).status).toBe(200);
    expect((await deploy(projectId, { url: `${to.url}/other` }, once, 'same')).status).toBe(422);
    await until(async () => to.requests.length >= 2);
    const ids = to.requests.map(({ id }) => id);
    await deliveryOver(String(ids[1]));
    expect(new Set(ids).size).toBe(to.requests.length);
    const events = to.requests.map(({ json: body }) => deploymentWebhook.parse(body));
    expect(events.map(({ type }) => type)).toEqual(['deployment.created', 'deployment.updated']);
    const [version] = events.map(({ data }) => data.version);
    expect(headers.etag).toBe(`"${version}"`);
    expect(events[0]?.data).toEqual({ ...json, version });
  });

  it('is sent again until the receiver accepts it, with the same id and body', async () => {
    const to = await receiver((_, times) => [500, `${to.url}/elsewhere`, 404, 200][times - 1] ?? 200);
    await deploy(crypto.randomUUID(), to);
    await received(to, 4);
    expect(new Set(to.requests.map(({ id, text, path }) => `${id} ${text} ${path}`)).size).toBe(1);
    expect(to.requests).toHaveLength(4);
    const secret = (await keys('webhook-secret', key)).trimEnd();
    const times = to.requests.map(({ text, headers }) => {
      new Webhook(secret).verify(text, headers as Record<string, string>);
      return Number(headers['webhook-timestamp']);
    });
    // Signed anew in each attempt: receivers refuse old timestamps.
    expect(times.at(-1)).toBeGreaterThan(Number(times[0]));
  });

  it('is signed with the secret that all keys of a chain of rotations have', async () => {
    const own = await newKey();
    const current = await keys('webhook-secret', own, '--rotate', '--grace', '1h');
    expect(await keys('webhook-secret', own)).toBe(current);
    const successor = (await keys('rotate', own)).trimEnd();
    expect(await keys('webhook-secret', successor)).toBe(current);
  });
});
