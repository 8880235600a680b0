import { randomUUID } from 'node:crypto';
import type { CollectionList, DataItem, DataLink, DataPage } from '../../lambda/contract/data.ts';
import { dataWebhook } from '../../lambda/contract/responses/webhooks.ts';
import { newCaller } from '../support/cloud/client.ts';
import { until } from '../support/cloud/events.ts';
import { newKey } from '../support/cloud/keys.ts';
import { deploySite } from '../support/cloud/sites.ts';
import { startReceiver } from '../support/receiver.ts';
import { testRows } from '../support/rows.ts';
import { check, expectStatus, SkippedError } from '../support/stage/checks.ts';
import type { SmokeResponse } from '../support/stage/http.ts';
import { onStage } from '../support/stage/on-stage.ts';
import { NAVIGATION, publish, type Session } from '../support/stage/session.ts';

const TEXT = { type: 'object', required: ['text'], properties: { text: { type: 'string', maxLength: 600 } } };
const DECLARATION = JSON.stringify({
  messages: { create: 'visitor', read: 'visitor', schema: TEXT },
  questions: { create: 'visitor', read: 'visitor', review: true, unique: 'text', schema: TEXT },
});
const FILES = { 'index.html': '<title>Guestbook</title>', '_data.json': DECLARATION };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
/** As a browser that submits a form of the page. */
const FROM_PAGE = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };

onStage({
  name: 'data',
  title: 'What a visitor writes is read by others and by the owner, and is gone once the owner deletes it',
  means: 'Guestbooks and registrations lose what visitors send, or their owners cannot read it.',
  lookAt:
    'The log group *-SiteDataApiLogs*, CloudFront > Distributions > Behaviors: */.data/* must lead to API Gateway, and the table *-SiteDataTable-*',
  run: async (session) => {
    const files = Object.entries(FILES).map(([path, content]) => ({ path, content }));
    const { id, ownership } = await publish(session, { files });
    const path = `/api/v1/deployments/${id}/data`;
    const found = await session.api('GET', path, { headers: ownership });
    if (found.status === 404) throw new SkippedError('sites of the stage have no data');
    expectStatus(found, 200);
    const page = await session.http.send(new URL(`/d/${id}/`, session.options.baseUrl), {
      headers: NAVIGATION,
    });
    const site = new URL(page.headers.location ?? `/d/${id}/`, session.options.baseUrl);
    const client = await session.http.send(new URL('.data/client.js', site));
    expectStatus(client, 200);
    const sent = { method: 'POST', body: 'text=Hello', headers: FORM };
    const created = await session.http.send(new URL('.data/messages', site), sent);
    check(created.status < 400, `${created.request} responded with ${created.status}: ${created.bytes}`);
    const seen = await session.http.send(new URL('.data/messages', site));
    expectStatus(seen, 200);
    check(seen.bytes.includes('Hello'), `${seen.request} does not have what was written`);
    await requireHeaders(session, new URL('.data/messages', site), seen);
    const list = await session.api('GET', `${path}/messages`, { headers: ownership });
    const item = list.json<DataPage>().items.find(({ text }) => text === 'Hello');
    check(item !== undefined, `${list.request} does not show it to the owner`);
    expectStatus(await session.api('DELETE', `${path}/messages/${item?.id}`, { headers: ownership }), 200);
    const after = await session.http.send(new URL('.data/messages', site));
    check(!after.bytes.includes('Hello'), `${after.request} still has what was deleted`);
    return undefined;
  },
});

/** Requires that the headers arrive with which requests are decided. @param seen the list, as it is */
async function requireHeaders({ http }: Session, messages: URL, seen: SmokeResponse): Promise<void> {
  const condition = { 'if-none-match': String(seen.headers.etag) };
  expectStatus(await http.send(messages, { headers: condition }), 304);
  const foreign = { ...FORM, 'sec-fetch-site': 'cross-site' };
  expectStatus(await http.send(messages, { method: 'POST', body: 'text=Foreign', headers: foreign }), 403);
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  const create = () => http.send(messages, { method: 'POST', body: JSON.stringify({ text: 'Once' }), headers });
  const [first, second] = [await create(), await create()];
  for (const created of [first, second]) expectStatus(created, 201);
  const [one, other] = [first, second].map((created) => created.json<DataItem>().id);
  check(one === other, `${second.request} with the same Idempotency-Key created another item`);
}

const site = (more: object = {}, headers: Record<string, string> = {}) => deploySite(FILES, more, headers);
type Site = Awaited<ReturnType<typeof site>>;

const write = ({ visit }: Site, collection: string, fields: object) =>
  visit(`/.data/${collection}`, { method: 'POST', body: fields, headers: FROM_PAGE });

describe('the owner', () => {
  it('reads what visitors wrote, as JSON by pages and as CSV', async () => {
    const made = await site();
    for (const text of ['one', '=2+2']) expect((await write(made, 'messages', { text })).status).toBe(201);
    const collections = (await made.call('GET', '/data')).json as CollectionList;
    expect(collections).toMatchObject({
      collections: [
        { name: 'messages', items: 2, rules: { create: 'visitor', read: 'visitor' }, fields: ['text'] },
        { name: 'questions', items: 0, rules: { review: true, unique: 'text' } },
      ],
      items: 2,
      linkable: true,
    });
    const first = await made.call('GET', '/data/messages?limit=1');
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(String(first.headers.link)) ?? [];
    const second = await newCaller().send(next, { headers: made.token });
    const texts = [first, second].flatMap(({ json }) => (json as DataPage).items.map(({ text }) => text));
    expect(texts).toEqual(['=2+2', 'one']);
    const [{ id }] = second.json.items;
    expect((await made.call('GET', `/data/messages/${id}`)).json).toMatchObject({ id, text: 'one' });
    const csv = await made.call('GET', '/data/messages', undefined, { accept: 'text/csv' });
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv.text).toContain('"\'=2+2"');
  });

  it('approves what waits, deletes an item, whose unique value is free then, and deletes all', async () => {
    const made = await site();
    const { id } = (await write(made, 'questions', { text: 'Why?' })).json;
    await write(made, 'questions', { text: 'Other' });
    expect(await write(made, 'questions', { text: 'WHY?' })).toMatchObject({ status: 409, json: { field: 'text' } });
    const seen = async () =>
      (await made.visit('/.data/questions')).json.items.map(({ text }: { text: string }) => text);
    expect(await seen()).toEqual([]);
    expect((await made.call('GET', '/data/questions')).json.items[1]).toMatchObject({ waiting: true });
    expect((await made.call('POST', `/data/questions/${id}/approve`)).json).not.toHaveProperty('waiting');
    expect(await seen()).toEqual(['Why?']);
    const deleted = await made.call('DELETE', `/data/questions/${id}`);
    expect(deleted.json).toMatchObject({ id, status: 'deleted' });
    expect(deleted.json.backupsUntil).toBeGreaterThan(Date.now() + 34 * 86_400_000);
    expect((await write(made, 'questions', { text: 'WHY?' })).status).toBe(201);
    expect((await made.call('DELETE', '/data/questions')).json).toMatchObject({ deleted: 2, complete: true });
    expect((await made.call('GET', '/data')).json.collections[1]).toMatchObject({ items: 0, waiting: 0 });
    expect((await made.call('DELETE')).json.backupsUntil).toBeGreaterThan(Date.now());
  });

  it('becomes one in a browser by a link, which others do not have', async () => {
    const made = await site();
    const { url } = (await made.call('POST', '/data/link')).json as DataLink;
    const { pathname, search } = new URL(url);
    const entered = await made.visit(pathname + search);
    expect(entered.status).toBe(303);
    const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? '';
    expect((await made.visit('/.data/', { headers: { cookie } })).json.owner).toBe(true);
    expect((await made.visit('/.data/')).json.owner).toBe(false);
    expect((await made.visit(`${pathname}${search}x`)).status).toBe(403);
  });

  it('is notified of each item', async () => {
    const receiver = await startReceiver();
    const headers = { authorization: `Bearer ${await newKey()}` };
    const made = await site({}, headers);
    const body = { dataWebhook: receiver.url };
    expect((await made.call('PATCH', '', body)).json).toMatchObject(body);
    const { id } = (await write(made, 'messages', { text: 'private' })).json;
    await until(async () => receiver.requests.length > 0);
    const [{ text, json }] = receiver.requests as [(typeof receiver.requests)[number]];
    expect(dataWebhook.parse(json).data).toMatchObject({ id: made.id, collection: 'messages', item: id });
    expect(text).not.toContain('private');
    expect((await made.call('PATCH', '', { dataWebhook: null })).json).not.toHaveProperty('dataWebhook');
    receiver.close();
  });
});

describe('errors', () => {
  let made: Site;
  beforeAll(async () => {
    made = await site();
  });

  testRows([
    [400, 'GET', '/data/messages?limit=0'],
    [400, 'GET', '/data/messages?cursor=%25'],
    [404, 'GET', '/data/nothing'],
    [404, 'GET', '/data/messages/nothing'],
    [404, 'DELETE', '/data/messages/nothing'],
    [404, 'POST', '/data/messages/nothing/approve'],
    [404, 'DELETE', '/data/nothing'],
  ])('a %i for the owner: %s %s', async (status, method, path) => {
    expect((await made.call(method, path)).status).toBe(status);
  });

  it('a 401 for strangers, a 403 for the token of another deployment', async () => {
    const { token } = await deploySite();
    const path = `${made.path}/data/messages`;
    expect((await newCaller().send(path)).status).toBe(401);
    expect((await newCaller().send(path, { headers: token })).status).toBe(403);
  });

  it('a 400 for a webhook without a key, and a 410 after the deployment is gone', async () => {
    const other = await site();
    expect((await other.call('PATCH', '', { dataWebhook: 'https://example.com/' })).status).toBe(400);
    await other.call('DELETE');
    for (const path of ['/data', '/data/messages']) expect((await other.call('GET', path)).status).toBe(410);
    expect((await other.call('POST', '/data/link')).status).toBe(410);
  });

  it('a 404 for a link to a site without data', async () => {
    expect((await (await deploySite()).call('POST', '/data/link')).status).toBe(404);
  });
});

describe('a deploy', () => {
  it('with a mistake in its declaration ends with its place', async () => {
    const { response } = await deploySite({
      ...FILES,
      '_data.json': JSON.stringify({ messages: { create: 'all', schema: TEXT } }),
    });
    expect(response).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining('messages.create') },
    });
  });

  it('changes the rules with the token only; a rollback keeps those in force, and says so', async () => {
    const projectId = crypto.randomUUID();
    const made = await site({ projectId });
    const version = JSON.parse(String(made.response.headers.etag));
    const other = { ...FILES, '_data.json': '{}' };
    expect((await deploySite(other, { projectId })).response.status).toBe(403);
    expect((await deploySite(other, { projectId }, made.token)).response.status).toBe(200);
    const { headers } = await made.call('POST', '/rollback', { version });
    expect(headers['x-deployment-warning']).toContain('rules in force stay');
    expect((await write(made, 'messages', { text: 'closed' })).status).toBe(404);
  });

  it('does not publish the declaration', async () => {
    expect((await (await site()).visit('/_data.json')).status).toBe(404);
  });
});
