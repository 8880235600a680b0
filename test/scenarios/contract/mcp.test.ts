import { execFile } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from '@modelcontextprotocol/client';
import { temporaryFolder } from '../../support/at-end.ts';
import { connect, dataOf, fetchOf, inTurn, ownAddress, REVISIONS, textOf } from '../../support/cloud/agents.ts';
import { apiGatewayHost } from '../../support/cloud/api-gateway.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';
import { newKey } from '../../support/cloud/keys.ts';
import { testRows } from '../../support/rows.ts';

const NAMES = [
  'generate',
  'get_generation',
  'deploy',
  'build',
  'get_deployment',
  'get_screenshot',
  'change_deployment',
  'claim',
  'rollback',
  'read_data',
  'list_deployments',
  'list_generations',
];

const page = (title: string) => [{ path: 'index.html', content: `<title>${title}</title>` }];

const call = (client: Client, name: string, args: Record<string, unknown> = {}) =>
  client.callTool({ name, arguments: args });

/** Calls a tool until its data satisfies a condition: lists are eventually consistent. */
async function until(client: Client, name: string, condition: (ids: string[]) => boolean) {
  for (;;) {
    const ids = dataOf(await call(client, name)).items.map(({ id }: { id: string }) => id);
    if (condition(ids)) return ids;
    await new Promise((done) => setTimeout(done, 50));
  }
}

describe.each(REVISIONS)('the revision %s, by two servers in turn', (revision) => {
  const resources = new AsyncDisposableStack();
  let servers: ReturnType<typeof inTurn>;
  let client: Client;
  beforeAll(async () => {
    servers = inTurn(resources);
    client = await connect(revision, { fetch: servers.fetch, key: await newKey() });
  });
  afterAll(() => resources.disposeAsync());

  it('is what they agree on', () => expect(client.getNegotiatedProtocolVersion()).toBe(revision));

  it('generates a project, and publishes it without its files passing through the model', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(NAMES);
    const generated = await call(client, 'generate', { prompt: 'a pomodoro timer' });
    const { id, status, files } = dataOf(generated);
    expect(status).toBe('succeeded');
    expect(textOf(generated)).toContain(`call deploy with generationId ${id}`);
    expect(JSON.stringify(generated)).not.toContain('<title>');

    const read = await call(client, 'get_generation', { id, paths: ['index.html'] });
    expect(dataOf(read).files).toEqual(files);
    const [{ path, content }] = dataOf(read).contents;
    expect(textOf(read)).toContain(`${path}:\n${content}`);

    const deployed = await call(client, 'deploy', { generationId: id });
    const { url, fileCount, created } = dataOf(deployed);
    expect([fileCount, created]).toEqual([files.length, true]);
    expect(textOf(deployed)).toContain(url);
    expect((await newCaller().send(`${new URL(url).pathname}/`)).text).toContain(/<title>.*/.exec(content)?.[0]);
    expect(Math.min(...servers.served)).toBeGreaterThanOrEqual(2);
  });

  it('deploys again to the same URL, rolls back, and lists both', async () => {
    const projectId = `suite-${revision}`;
    const first = dataOf(await call(client, 'deploy', { files: page('One'), projectId }));
    const bytes = Buffer.from([0x89, 0x50, 0xff]).toString('base64');
    const icon = { path: 'icon.png', content: bytes, encoding: 'base64' };
    const second = dataOf(
      await call(client, 'deploy', { files: [...page('Two'), icon], projectId, ifMatch: first.version }),
    );
    expect([second.url, second.created]).toEqual([first.url, false]);
    const { pathname } = new URL(first.url);
    expect((await newCaller().send(`${pathname}/icon.png`)).bytes.toString('base64')).toBe(bytes);

    const stale = await call(client, 'deploy', { files: page('Three'), projectId, ifMatch: first.version });
    expect([stale.isError, textOf(stale)]).toEqual([true, expect.stringContaining('live version')]);
    const { versions } = dataOf(await call(client, 'get_deployment', { id: first.id }));
    expect(versions.map(({ version }: { version: string }) => version)).toEqual([second.version, first.version]);
    const back = await call(client, 'rollback', { id: first.id, version: first.version });
    expect(dataOf(back).version).toBe(first.version);
    expect((await newCaller().send(`${pathname}/`)).text).toContain('One');
    await until(client, 'list_deployments', (ids) => ids.includes(first.id));
    expect(await until(client, 'list_generations', (ids) => ids.length > 0)).toHaveLength(1);
  });

  it('changes a project, and publishes also its files that are not text', async () => {
    const bytes = Buffer.from([0x89, 0x50, 0xff, 0x00]);
    const image = { path: 'icon.png', content: bytes.toString('base64'), encoding: 'base64' };
    const files = [{ path: 'index.html', content: '<title>One</title>\n' }, image];
    const changed = await call(client, 'generate', { prompt: 'change the title to Two', files });
    const { url, title } = dataOf(await call(client, 'deploy', { generationId: dataOf(changed).id }));
    expect(title).toBe('Two');
    expect((await newCaller().send(`${new URL(url).pathname}/icon.png`)).bytes).toEqual(bytes);
  });

  testRows([
    ['a missing argument', 'generate', {}, 'prompt is required'],
    ['an argument that it does not know', 'generate', { prompt: 'x', project_id: 'y' }, 'project_id'],
    ['a model that does not exist', 'generate', { prompt: 'x', model: 'gpt' }, 'model must be one of'],
    ['an unknown id', 'get_generation', { id: '../usage' }, 'There is no such generation'],
    ['both kinds of files', 'deploy', { generationId: 'x', files: page('x') }, 'either generationId or files'],
    ['a path that leaves the site', 'deploy', { files: [{ path: '../../etc/passwd', content: '' }] }, 'passwd'],
  ])('explains mistakes to the model', async (_, name, args, message) => {
    const result = await call(client, name, args);
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining(message)]);
  });

  it('refuses a tool that does not exist', async () => {
    await expect(call(client, 'constructor')).rejects.toMatchObject({ code: -32602 });
  });
});

describe('through CloudFront', () => {
  const send = (body: unknown, headers: Record<string, string> = {}, method = 'POST') => {
    const accept = 'application/json, text/event-stream';
    return newCaller().send('/mcp', { method, body, headers: { accept, ...headers } });
  };
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

  it('responds with JSON, and to a notification with nothing', async () => {
    const listed = await send(list);
    expect([listed.status, listed.headers['content-type']]).toEqual([200, 'application/json']);
    expect(listed.headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' });
    expect(listed.json.result.tools).toHaveLength(NAMES.length);
    expect(await send(initialized)).toMatchObject({ status: 202, text: '' });
  });

  it.each(['*/*', 'application/json', 'text/event-stream;q=0', ''])(
    'responds with JSON to a client that accepts "%s"',
    async (accept) => {
      const listed = await send(list, { accept });
      expect([listed.status, listed.headers['content-type']]).toEqual([200, 'application/json']);
      expect((await newCaller().post('/mcp/', list, { accept })).json).toEqual(listed.json);
    },
  );

  it.each(['GET', 'DELETE'])('has no streams and sessions to %s', async (method) => {
    expect(await send(undefined, {}, method)).toMatchObject({
      status: 405,
      headers: { allow: 'POST, OPTIONS' },
      json: { error: expect.stringContaining('POST') },
    });
  });

  it('has no subscriptions, which would be streams', async () => {
    const client = await connect('2026-07-28');
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow('Subscription limit');
  });

  testRows([
    ['no JSON', '{', {}, 400],
    ['another type', 'x', { 'content-type': 'text/plain' }, 415],
    ['nothing', undefined, { 'content-type': 'application/json' }, 400],
    ['a page over plain HTTP', list, { origin: 'http://evil.example' }, 403],
    ['a page without an origin', list, { origin: 'null' }, 403],
    ['a page of another site', list, { origin: 'https://agent.example' }, 200],
    ['a page of this machine', list, { origin: 'http://localhost:6274' }, 200],
    ['an extension', list, { origin: 'moz-extension://0f9c' }, 200],
  ])('responds to malformed and foreign requests', async (_, body, headers, status) => {
    const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    expect((await send(body, { ...type, ...(headers as Record<string, string>) })).status).toBe(status);
  });

  it('lets pages call it with the headers of the protocol', async () => {
    const { status, headers } = await send(undefined, { origin: 'https://agent.example' }, 'OPTIONS');
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': 'Authorization, *',
    });
  });

  it('refuses an invalid key as the API does', async () => {
    const authorization = 'Bearer ptp_none_existing_key';
    const params = { name: 'deploy', arguments: { files: page('x') } };
    const refused = await send({ ...list, method: 'tools/call', params }, { authorization });
    const byApi = await newCaller().post('/api/v1/deploy', { files: page('x') }, { authorization });
    expect([refused.status, refused.json]).toEqual([401, byApi.json]);
    for (const name of ['www-authenticate', 'x-amzn-remapped-www-authenticate'])
      expect([refused.headers[name]]).toEqual([byApi.headers[name] ?? 'missing']);
  });

  it('says that a list needs a key, and that a deployment needs its token', async () => {
    const client = await connect('2026-07-28');
    const listed = await call(client, 'list_deployments');
    expect([listed.isError, textOf(listed)]).toEqual([true, expect.stringMatching(/API key.*every request/s)]);
    const { id, token, version } = dataOf(await call(client, 'deploy', { files: page('x') }));
    const without = await call(client, 'get_deployment', { id });
    expect([without.isError, textOf(without)]).toEqual([true, expect.stringContaining('Pass it as token')]);
    expect(dataOf(await call(client, 'get_deployment', { id, token })).version).toBe(version);
    expect(dataOf(await call(client, 'rollback', { id, token, version })).owner).toBe('anonymous');
  });

  it('says when a page expires, shortens its life, and keeps it with a key', async () => {
    const anonymous = await connect('2026-07-28');
    const deployed = await call(anonymous, 'deploy', { files: page('x') });
    const { id, token, expiresAt, claimUrl } = dataOf(deployed);
    expect(textOf(deployed)).toMatch(/It expires at 20\d\d-\S+Z\. To keep it, call claim with an API key/);
    expect(claimUrl).toBe(`${cloud().baseUrl}/api/v1/deployments/${id}/claim`);
    const change = { id, token, expiresInSeconds: 3_600 };
    expect(dataOf(await call(anonymous, 'change_deployment', change)).expiresAt).toBeLessThan(expiresAt);
    const refused = await call(anonymous, 'claim', { id, token });
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('A claim needs')]);

    const owner = await connect('2026-07-28', { key: await newKey() });
    const claimed = dataOf(await call(owner, 'claim', { id, token }));
    expect([claimed.owner, claimed.expiresAt]).toEqual(['key', undefined]);
    const closed = dataOf(await call(owner, 'change_deployment', { id, access: 'link' }));
    expect([closed.access, closed.link.url]).toEqual(['link', expect.stringContaining('ptp-link=')]);
  });

  it('counts calls for the address of the viewer, whatever headers claim', async () => {
    const viewer = newCaller();
    const claims = { 'x-forwarded-for': '203.0.113.9', 'x-ptp-viewer-address': '203.0.113.9' };
    const client = await connect('2025-11-25', { fetch: fetchOf(viewer, claims) });
    const calls = Array.from({ length: 10 }, () => call(client, 'deploy', { files: page('x') }));
    expect((await Promise.all(calls)).map(({ isError }) => isError)).not.toContain(true);
    const limited = await call(client, 'deploy', { files: page('x') });
    expect(limited.isError).toBe(true);
    expect(textOf(limited)).toMatch(/Rate limit exceeded.*\(retryAfter: \d+\)/);
    expect((await viewer.post('/api/v1/deploy', { files: page('x') })).status).toBe(429);
    // Nothing gets past CloudFront, where nobody has overwritten what the headers claim.
    const params = { name: 'deploy', arguments: { files: page('x') } };
    const accept = 'application/json, text/event-stream';
    const direct = { ...list, method: 'tools/call', params };
    const past = await viewer.post('/api/mcp', direct, { ...claims, accept, host: apiGatewayHost(cloud()) });
    expect(past).toMatchObject({ status: 403, json: { error: expect.stringContaining('internal') } });
    expect(dataOf(await call(await connect('2025-11-25'), 'deploy', { files: page('x') })).created).toBe(true);
  });
});

const INDEX = '/.well-known/agent-skills/index.json';

async function skill(): Promise<string> {
  const [{ url }] = (await newCaller().send(INDEX)).json.skills;
  return (await newCaller().send(url)).text;
}

it('is served as the index says, to pages of other origins too', async () => {
  const index = await newCaller().send(INDEX, { headers: { origin: 'https://agent.example' } });
  expect(index.headers).toMatchObject({
    'content-type': 'application/json',
    'access-control-allow-origin': '*',
  });
  const [{ url, digest }] = index.json.skills;
  const { bytes, headers } = await newCaller().send(url);
  expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)));
  expect(`sha256:${Buffer.from(hash).toString('hex')}`).toBe(digest);
});

const folder = temporaryFolder();
it('has commands that work, in their order', async () => {
  await using resources = new AsyncDisposableStack();
  const ptp = join(folder, 'ptp');
  writeFileSync(ptp, `#!/bin/sh\nexec ${process.execPath} ${resolve('bin/ptp.js')} "$@"\n`);
  chmodSync(ptp, 0o755);
  const script = Array.from((await skill()).matchAll(/^```sh\n([\s\S]*?)^```$/gm), ([, code]) => code).join('\n');
  const env = {
    PATH: `${folder}:${process.env.PATH}`,
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    PTP_URL: await ownAddress(resources),
    PTP_API_KEY: await newKey(),
  };
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  const urls = stdout.match(/http:\/\/localhost:\d+\/d\/\w+/g) ?? [];
  expect(new Set(urls).size).toBe(3);
  for (const url of urls) expect((await newCaller().send(`${new URL(url).pathname}/`)).status).toBe(200);
  expect(readFileSync(join(folder, 'tip-calculator', 'index.html'), 'utf8')).toContain('<title>');
});

it('names only paths, tools and statuses that exist', async () => {
  const text = await skill();
  const paths = Array.from(text.matchAll(/\$PTP_URL(\/[^\s"`{]*[^\s"`{/])(?=[`"\s])/g), ([, path = '']) => path);
  expect(paths).toEqual(expect.arrayContaining(['/mcp', '/docs.md', '/api/v1/generate']));
  for (const path of new Set(paths)) expect([path, (await newCaller().send(path)).status]).not.toEqual([path, 404]);
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const accept = 'application/json, text/event-stream';
  const { tools } = (await newCaller().post('/mcp', list, { accept })).json.result;
  const known = [...tools.map(({ name }: { name: string }) => name), 'deploy_folder'];
  for (const [, name] of text.matchAll(/`((?:list|get|deploy)_\w+)`/g)) expect(known).toContain(name);
});
