import { Webhook } from 'standardwebhooks';
import { generationWebhook } from '../../lambda/contract/responses/webhooks.ts';
import { newCaller } from '../support/cloud/client.ts';
import { keys, newKey } from '../support/cloud/keys.ts';
import { newToken } from '../support/cloud/tokens.ts';
import { closeReceivers, received, receiver } from '../support/cloud/webhooks.ts';
import { testRows } from '../support/rows.ts';

const GENERATE = '/api/v1/generate';

const DEPLOY = '/api/v1/deploy';

const FILES = [{ path: 'index.html', content: '<title>Page</title>' }];

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

const key = await newKey();

afterEach(closeReceivers);

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  newCaller().post(path, body, { ...bearer(key), ...headers });

describe('a webhook of a generation', () => {
  it('is signed with the secret that keys prints, and names the generation', async () => {
    const to = await receiver();
    const { status, headers } = await post(GENERATE, {
      prompt: 'a quiz',
      model: 'provider-a',
      webhook: { url: `${to.url}/hook?a=b` },
    });
    expect(status).toBe(200);
    const { path, text, headers: signed, id } = await received(to);
    const secret = (await keys('webhook-secret', key)).trimEnd();
    const event = generationWebhook.parse(new Webhook(secret).verify(text, signed as Record<string, string>));
    const generation = String(headers['x-generation-id']);
    expect([path, id]).toEqual(['/hook?a=b', `generation-${generation}-1`]);
    expect(event).toMatchObject({
      type: 'generation.succeeded',
      data: { id: generation, status: 'succeeded' },
    });
    const { json } = await newCaller().send(event.data.url, { headers: bearer(key) });
    expect(json).toMatchObject({ id: generation, finishedAt: Date.parse(event.timestamp) });
    expect(to.requests).toHaveLength(1);
    // The URL may have a secret, and nobody needs it back.
    expect(JSON.stringify(json)).not.toContain(to.url);
  });

  it('has the deployment that the request asked for', async () => {
    const to = await receiver();
    const body = { prompt: 'a quiz', model: 'provider-a', deploy: true, webhook: { url: to.url } };
    const { json } = await post(GENERATE, body);
    const event = generationWebhook.parse((await received(to)).json);
    expect(event.data.deployment).toEqual(json.deployment);
  });

  it('tells of a cancellation, once its attempt has ended', async () => {
    const to = await receiver();
    const body = { prompt: 'a quiz', model: 'provider-b', webhook: { url: to.url } };
    const { json } = await post(GENERATE, body, { prefer: 'respond-async' });
    const canceled = await newCaller().send(`/api/v1/generations/${json.id}`, {
      method: 'DELETE',
      headers: bearer(key),
    });
    expect(canceled.status).toBe(200);
    const event = generationWebhook.parse((await received(to)).json);
    expect(event).toMatchObject({ type: 'generation.canceled', data: { id: json.id, status: 'canceled' } });
  });

  it('is part of the request that an Idempotency-Key belongs to', async () => {
    const to = await receiver();
    const once = { 'idempotency-key': crypto.randomUUID() };
    const body = { prompt: 'a quiz', model: 'provider-a' };
    await post(GENERATE, { ...body, webhook: { url: to.url } }, once);
    expect((await post(GENERATE, { ...body, webhook: { url: to.url } }, once)).status).toBe(200);
    expect((await post(GENERATE, { ...body, webhook: { url: `${to.url}/other` } }, once)).status).toBe(422);
    await received(to);
    expect(to.requests).toHaveLength(1);
  });
});

testRows([
  [GENERATE, { prompt: 'a quiz' }],
  [DEPLOY, { files: FILES }],
])('is accepted with an API key only', async (path, body) => {
  const webhook = { url: 'https://user.example/' };
  for (const headers of [{}, bearer(await newToken())] as Record<string, string>[]) {
    const { status, json } = await newCaller().post(path, { ...body, webhook }, headers);
    expect([status, json.error]).toEqual([
      400,
      'webhook needs an API key, whose secret signs the notification: send one, or leave webhook out',
    ]);
  }
});

testRows([
  ['no object', 'https://user.example/', 'webhook must be a JSON object, not a string'],
  ['no URL', {}, 'webhook.url is required: the URL to notify'],
  ['another scheme', { url: 'ftp://user.example/' }, 'webhook.url must be an https URL'],
  ['a path', { url: '/hook' }, 'webhook.url must be an https URL'],
  ['a password', { url: 'https://me:secret@user.example/' }, 'without user name and password'],
  ['a user name', { url: 'https://me@user.example/' }, 'without user name and password'],
  ['a long URL', { url: `https://user.example/${'a'.repeat(2_048)}` }, 'has more than 2,048 characters'],
])('rejects a webhook that is no public https URL', async (_, webhook, message) => {
  for (const body of [{ prompt: 'a quiz' }, { files: FILES }]) {
    const { status, json } = await post('prompt' in body ? GENERATE : DEPLOY, { ...body, webhook });
    expect([status, json.error]).toEqual([400, expect.stringContaining(message)]);
  }
});
