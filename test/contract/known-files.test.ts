import { createHash } from 'node:crypto';
import { newCaller, type TestResponse } from '../support/cloud/client.ts';
import { newKey } from '../support/cloud/keys.ts';
import { storedObjects } from '../support/cloud/stored-objects.ts';

const DEPLOY = '/api/v1/deploy';
const IMAGE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);
const PAGE = { path: 'index.html', content: '<title>One</title>' };
const SITE = [PAGE, { path: 'a.png', content: IMAGE.toString('base64'), encoding: 'base64' }];
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const image = { path: 'images/b.png', sha256: sha256(IMAGE) };

let projects = 0;
const newProject = () => `known-${Date.now()}-${++projects}`;
const tokenOf = ({ headers }: TestResponse) => ({
  'x-deployment-token': String(headers['x-deployment-token']),
});
const unknown = (...hashes: string[]) => ({
  status: 409,
  json: { error: expect.stringContaining('send the files in unknown'), unknown: hashes },
});

describe('a file by its SHA-256', () => {
  it('is taken from the live version, under any path', async () => {
    const caller = newCaller();
    const projectId = newProject();
    const first = await caller.post(DEPLOY, { projectId, files: SITE });
    const files = [
      { path: 'index.html', content: '<title>Two</title>' },
      { ...image, sha256: image.sha256.toUpperCase() },
    ];
    const second = await caller.post(DEPLOY, { projectId, files }, tokenOf(first));
    expect(second).toMatchObject({ status: 200, json: { ...first.json, title: 'Two', fileCount: 2 } });
    const { id } = first.json;
    expect((await caller.send(`/d/${id}/images/b.png`)).bytes.equals(IMAGE)).toBe(true);
    expect((await caller.send(`/d/${id}/a.png`)).status).toBe(404);
    const { json } = await caller.send(`/api/v1/deployments/${id}`, { headers: tokenOf(first) });
    expect(json.bytes).toBe('<title>Two</title>'.length + IMAGE.length);
  });

  it('that is unknown is listed, and nothing changes', async () => {
    const caller = newCaller();
    const projectId = newProject();
    const { json, headers } = await caller.post(DEPLOY, { projectId, files: SITE });
    const files = [{ ...PAGE, content: 'Two' }, image, { path: 'c', sha256: sha256('c') }];
    expect(await caller.post(DEPLOY, { projectId, files })).toMatchObject(unknown(sha256('c')));
    expect((await caller.send(`/d/${json.id}/`)).text).toBe(PAGE.content);
    expect(await storedObjects(`sites/${json.id}/`)).toEqual([
      `sites/${json.id}/${JSON.parse(String(headers.etag))}.zip`,
    ]);
    const fresh = { projectId: newProject(), files };
    expect(await caller.post(DEPLOY, fresh)).toMatchObject(unknown(image.sha256, sha256('c')));
  });

  it('is looked up only in the deployment of its owner', async () => {
    const caller = newCaller();
    const projectId = newProject();
    const [mine, theirs] = [{ 'x-api-key': await newKey() }, { 'x-api-key': await newKey() }];
    await caller.post(DEPLOY, { projectId, files: SITE }, mine);
    const body = { projectId, files: [image] };
    const answers = [await caller.post(DEPLOY, body, theirs), await caller.post(DEPLOY, body)];
    for (const answer of answers) expect(answer).toMatchObject(unknown(image.sha256));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await caller.post(DEPLOY, body, mine)).status).toBe(200);
  });

  it('needs the token once a deploy has sent it', async () => {
    const caller = newCaller();
    const projectId = newProject();
    const first = await caller.post(DEPLOY, { projectId, files: SITE });
    await caller.post(DEPLOY, { projectId, files: SITE }, tokenOf(first));
    const guess = (hash: string, headers = {}) =>
      caller.post(DEPLOY, { projectId, files: [{ path: 'a', sha256: hash }] }, headers);
    const other = { 'x-deployment-token': `ptd_${'A'.repeat(43)}` };
    for (const hash of [image.sha256, sha256('a guess')]) {
      expect(await guess(hash)).toMatchObject({ status: 401, json: { error: expect.any(String) } });
      expect((await guess(hash, other)).status).toBe(403);
    }
    expect((await guess(image.sha256, tokenOf(first))).status).toBe(200);
  });
});

it('an Idempotency-Key covers a request with hashes and its repetition with contents', async () => {
  const caller = newCaller();
  const projectId = newProject();
  const key = { 'idempotency-key': 'once' };
  const post = (files: object[]) => caller.post(DEPLOY, { projectId, files }, key);
  const { path } = image;
  expect(await post([PAGE, image])).toMatchObject(unknown(image.sha256));
  const full = { path, content: IMAGE.toString('base64'), encoding: 'base64' };
  const deployed = await post([PAGE, full]);
  expect(deployed.status).toBe(201);
  const again = await post([PAGE, image]);
  expect([again.status, again.text, again.headers.etag]).toEqual([201, deployed.text, deployed.headers.etag]);
  expect((await post([PAGE, { path, sha256: sha256('other') }])).status).toBe(422);
});

it('a stored body can have hashes, and is deployed once they are known', async () => {
  const caller = newCaller();
  const projectId = newProject();
  const ignored = '.'.repeat(5_000_000);
  const stored = await caller.post(DEPLOY, { projectId, files: [PAGE, image], ignored });
  expect(stored.status).toBe(303);
  const { pathname } = new URL(String(stored.headers.location));
  expect(await caller.send(pathname)).toMatchObject(unknown(image.sha256));
  const first = await caller.post(DEPLOY, { projectId, files: SITE });
  const deployed = await caller.send(pathname);
  expect(deployed).toMatchObject({ status: 200, json: { id: first.json.id, fileCount: 2 } });
  expect((await caller.send(`/d/${first.json.id}/images/b.png`)).bytes.equals(IMAGE)).toBe(true);
});
