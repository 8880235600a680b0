import { newCaller, type Sent } from '../../support/cloud/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';
import { newKey } from '../../support/cloud/keys.ts';
import { testRows } from '../../support/rows.ts';

const page = (title: string, projectId?: string) => ({
  files: [{ path: 'index.html', content: `<title>${title}</title>` }],
  ...(projectId ? { projectId } : {}),
});

const token = (answer: { headers: Record<string, unknown> }) => ({
  'x-deployment-token': String(answer.headers['x-deployment-token']),
});

let count = 0;

const newProject = () => `managed-${Date.now()}-${++count}`;

/** Deploys two versions of a project; the second one is live and cached by the edge. */
async function twoVersions(headers: Record<string, string> = {}) {
  const caller = newCaller();
  const projectId = newProject();
  const first = await caller.post('/api/v1/deploy', page('First', projectId), headers);
  const second = await caller.post('/api/v1/deploy', page('Second', projectId), headers);
  const { id } = first.json;
  await caller.send(`/d/${id}/`);
  return { caller, projectId, first, second, id, path: `/api/v1/deployments/${id}` };
}

describe('a deployment', () => {
  it('serves the earlier version at once after a rollback', async () => {
    const { caller, first, second, id, path } = await twoVersions();
    const version = JSON.parse(first.headers.etag as string);
    const back = (body: unknown, headers = {}) =>
      caller.post(`${path}/rollback`, body, { ...token(first), ...headers });
    const stale = await back({ version }, { 'if-match': first.headers.etag as string });
    expect(stale).toMatchObject({ status: 412, json: { error: expect.stringContaining('If-Match') } });
    const rolled = await back({ version }, { 'if-match': second.headers.etag as string });
    expect(rolled).toMatchObject({ status: 200, json: { title: 'First', version } });
    expect((await caller.send(`/d/${id}/`)).text).toBe('<title>First</title>');
    expect(await back({ version: 'nope' })).toMatchObject({
      status: 404,
      json: { error: expect.stringContaining(version) },
    });
    expect(await back({})).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining('version') },
    });
  });

  it('says why no browser has looked at it, and has no picture', async () => {
    const { caller, first, id, path } = await twoVersions();
    const reason = 'This stage does not look at projects (look.enabled is false)';
    const { status, json } = await caller.send(path, { headers: token(first) });
    const look = { state: 'skipped', reason };
    expect({ status, json }).toMatchObject({ status: 200, json: { look, versions: [{ look }, { look }] } });
    const text = await caller.post('/api/v1/deploy', { files: [{ path: 'notes.txt', content: 'no page' }] });
    const { json: notes } = await caller.send(`/api/v1/deployments/${text.json.id}`, {
      headers: token(text),
    });
    expect(notes.look).toEqual({ state: 'skipped', reason: 'The site has no HTML page' });
    for (const query of ['', '?width=390', `?version=${json.version}`])
      expect(await caller.send(`/d/${id}.png${query}`)).toMatchObject({
        status: 404,
        text: expect.stringContaining('There is no picture'),
        headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
      });
    expect((await caller.send(`/d/${id}.png?width=5`)).status).toBe(400);
    expect((await caller.send(`/d/${id}.png`, { method: 'HEAD' })).status).toBe(404);
  });

  testRows(['/api/v1/deployments/abcdefghijkl', '/api/v1/deployments/once:x', '/api/v1/deployments/..'])(
    'that does not exist is a 404',
    async (path) => expect((await newCaller().send(path)).status).toBe(404),
  );
});

describe('the token of an anonymous project', () => {
  const deploy = (projectId: string, headers: Record<string, string> = {}, title = 'x') =>
    newCaller().post('/api/v1/deploy', page(title, projectId), headers);
  const parts = ({ status, headers }: Awaited<ReturnType<typeof deploy>>) => ({
    status,
    token: headers['x-deployment-token'],
  });

  it('is not returned to a caller that restores a deleted deployment', async () => {
    const projectId = newProject();
    const first = await deploy(projectId);
    const path = `/api/v1/deployments/${first.json.id}`;
    const remove = () => newCaller().send(path, { method: 'DELETE', headers: token(first) });
    expect((await remove()).status).toBe(200);
    expect(parts(await deploy(projectId, {}, 'Theirs'))).toEqual({ status: 201, token: undefined });
    expect((await remove()).status).toBe(200);
    expect(parts(await deploy(projectId, token(first)))).toEqual(parts(first));
    expect((await remove()).status).toBe(200);
    expect((await deploy(projectId, {}, 'Theirs')).status).toBe(401);
  });
});

const DAY = 86_400_000;

const FILES = [{ path: 'index.html', content: '<title>Kept</title>' }];

const send = (path: string, sent?: Sent, baseUrl = cloud().baseUrl) => newCaller(baseUrl).send(path, sent);

const deploy = async (more: object = {}, headers: Record<string, string> = {}, baseUrl = cloud().baseUrl) => {
  const response = await newCaller(baseUrl).post('/api/v1/deploy', { files: FILES, ...more }, headers);
  const token = { 'x-deployment-token': String(response.headers['x-deployment-token'] ?? '') };
  return {
    ...response,
    id: response.json.id as string,
    token,
    path: `/api/v1/deployments/${response.json.id}`,
  };
};

const bearer = async () => ({ authorization: `Bearer ${await newKey()}` });

describe('the life of a deployment', () => {
  it('is 30 days without a key, which each deploy with the token renews', async () => {
    const projectId = `life-${Math.random()}`;
    const before = Date.now();
    const first = await deploy({ projectId });
    const end = Number(first.headers['x-deployment-expires']);
    expect(end).toBeGreaterThanOrEqual(before + 30 * DAY);
    expect(end).toBeLessThan(Date.now() + 30 * DAY + 1_000);
    expect(first.headers.link).toContain(`<${cloud().baseUrl}${first.path}/claim>; rel="claim"`);
    const again = await deploy({ projectId });
    expect(again.headers['x-deployment-expires']).toBe(String(end));
    expect(again.headers.link).not.toContain('claim');
    const renewed = await deploy({ projectId }, first.token);
    expect(Number(renewed.headers['x-deployment-expires'])).toBeGreaterThan(end);
    const { json } = await send(first.path, { headers: first.token });
    expect(String(json.expiresAt)).toBe(renewed.headers['x-deployment-expires']);
    expect((await send(`/d/${first.id}/`)).headers['x-robots-tag']).toBe('noindex');
  });

  it('has no end with a key, unless the key sets one', async () => {
    const key = await bearer();
    const kept = await deploy({}, key);
    expect(kept.headers).not.toHaveProperty('x-deployment-expires');
    expect((await send(`/d/${kept.id}/`)).headers).not.toHaveProperty('x-robots-tag');
    const before = Date.now();
    const short = await deploy({ projectId: 'preview', expiresInSeconds: 600 }, key);
    expect(Number(short.headers['x-deployment-expires'])).toBeGreaterThanOrEqual(before + 600_000);
    expect(Number(short.headers['x-deployment-expires'])).toBeLessThan(Date.now() + 601_000);
    // The next deploy renews the life that was chosen.
    const again = await deploy({ projectId: 'preview' }, key);
    expect(Number(again.headers['x-deployment-expires'])).toBeGreaterThan(
      Number(short.headers['x-deployment-expires']),
    );
    const endless = await deploy({ projectId: 'preview', expiresInSeconds: null }, key);
    expect(endless.headers).not.toHaveProperty('x-deployment-expires');
    const change = (expiresInSeconds: unknown) =>
      send(short.path, { method: 'PATCH', headers: key, body: { expiresInSeconds } });
    expect((await change(null)).json).not.toHaveProperty('expiresAt');
    expect((await change(3_600)).json.expiresAt).toBeGreaterThan(before + 3_599_000);
    for (const wrong of [59, 1.5, '60', 31_536_001]) expect((await change(wrong)).status).toBe(400);
  });

  it('is not longer without a key, and not changed without the token', async () => {
    const long = await deploy({ expiresInSeconds: 31 * 86_400 });
    expect([long.status, long.json.error]).toEqual([400, expect.stringContaining('at most 2592000 seconds')]);
    const projectId = `life-${Math.random()}`;
    const { path, token } = await deploy({ projectId });
    expect((await deploy({ projectId, expiresInSeconds: 60 })).status).toBe(401);
    const { json } = await send(path, { method: 'PATCH', headers: token, body: { expiresInSeconds: null } });
    expect(json.expiresAt).toBeGreaterThan(Date.now() + 29 * DAY);
    expect(await send(path, { method: 'PATCH', body: { expiresInSeconds: 60 } })).toMatchObject({
      status: 401,
      json: { error: expect.stringContaining('Send the X-Deployment-Token') },
    });
    expect((await send(path, { method: 'PATCH', headers: token, body: {} })).status).toBe(400);
  });
});

describe('a claim', () => {
  it('moves a deployment to the key, where it stays, and the token is worth nothing', async () => {
    const projectId = `claimed-${Math.random()}`;
    const { id, path, token } = await deploy({ projectId });
    // The edge keeps a copy, whose bytes do not change with the claim.
    const { headers } = await send(`/d/${id}/`);
    expect(headers).toMatchObject({ 'x-robots-tag': 'noindex', etag: expect.stringMatching(/-noindex"$/) });
    const unchanged = { 'if-none-match': String(headers.etag) };
    expect((await send(`/d/${id}/`, { headers: unchanged })).status).toBe(304);
    const key = await bearer();
    const claim = (headers: Record<string, string>) => send(`${path}/claim`, { method: 'POST', headers });
    expect((await claim(token)).status).toBe(401);
    expect((await claim(key)).status).toBe(401);
    const claimed = await claim({ ...token, ...key });
    expect(claimed).toMatchObject({ status: 200, json: { id, owner: 'key', claimedAt: expect.any(Number) } });
    expect(claimed.json).not.toHaveProperty('expiresAt');
    expect((await claim(key)).status).toBe(200);
    expect((await claim({ ...token, ...(await bearer()) })).status).toBe(403);
    for (const method of ['GET', 'DELETE']) expect((await send(path, { method, headers: token })).status).toBe(401);
    expect((await send(`/d/${id}/`, { headers: unchanged })).status).toBe(200);
    expect((await send(`/d/${id}/`)).headers).not.toHaveProperty('x-robots-tag');

    const anonymous = await deploy({ projectId }, token);
    expect([anonymous.status, anonymous.json.error]).toEqual([403, expect.stringContaining('claimed')]);
    const files = [{ path: 'index.html', content: 'by the key' }];
    const outdated = await deploy({ projectId, files }, { ...key, 'if-match': '"another"' });
    expect(outdated.status).toBe(412);
    const redeployed = await deploy({ projectId, files }, { ...key, 'if-match': `"${claimed.json.version}"` });
    expect(redeployed).toMatchObject({ status: 200, id });
    expect((await send(`/d/${id}/`)).text).toBe('by the key');
    const other = await deploy({ projectId }, await bearer());
    expect(other).toMatchObject({ status: 201, id: expect.not.stringContaining(id) });
  });

  it('has the key go on with the project, whatever its token had become', async () => {
    const projectId = `claimed-${Math.random()}`;
    const { id, path, token } = await deploy({ projectId });
    // From here on, every anonymous deploy must send the token.
    const { headers } = await deploy({ projectId }, token);
    const key = await bearer();
    await send(`${path}/claim`, { method: 'POST', headers: { ...token, ...key } });
    const ifMatch = { 'if-match': String(headers.etag) };
    expect(await deploy({ projectId }, { ...key, ...ifMatch })).toMatchObject({ status: 200, id });
    expect(await deploy({ projectId }, { ...key, ...ifMatch })).toMatchObject({ status: 412 });
  });

  it('is made once, whoever comes first', async () => {
    const { path, token } = await deploy();
    const keys = await Promise.all(Array.from({ length: 5 }, bearer));
    const claims = await Promise.all(
      keys.map((key) => send(`${path}/claim`, { method: 'POST', headers: { ...token, ...key } })),
    );
    expect(claims.map(({ status }) => status).toSorted()).toEqual([200, 403, 403, 403, 403]);
  });
});
