import { createHash } from 'node:crypto';
import { newCaller, type TestResponse } from '../support/cloud/client.ts';

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
