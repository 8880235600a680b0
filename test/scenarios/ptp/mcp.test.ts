import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client, type Progress } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { newKey as unknownKey } from '../../../lambda/access/api-key.ts';
import { temporaryFolder } from '../../support/at-end.ts';
import { dataOf, ownAddress, REVISIONS, textOf } from '../../support/cloud/agents.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { newKey } from '../../support/cloud/keys.ts';
import { ptp } from '../../support/ptp.ts';

const outside = temporaryFolder();
const root = join(outside, 'projects');
mkdirSync(root);
const key = await newKey();
const resources = new AsyncDisposableStack();
const baseUrl = await ownAddress(resources);
const clients: Client[] = [];
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await resources.disposeAsync();
});

/** Writes files of a folder in the root, and returns its path. */
function folder(name: string, files: Readonly<Record<string, string | Buffer>>): string {
  mkdirSync(join(root, name), { recursive: true });
  for (const [path, content] of Object.entries(files)) writeFileSync(join(root, name, path), content);
  return join(root, name);
}

/** Connects the official client to `ptp mcp`. */
async function connect(revision: (typeof REVISIONS)[number] = '2026-07-28', env: Record<string, string> = {}) {
  const mode = revision === '2025-11-25' ? 'legacy' : { pin: revision };
  const client = new Client({ name: 'suite', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [resolve('bin/ptp.js'), 'mcp', root],
    env: { PTP_URL: baseUrl, PTP_API_KEY: key, XDG_CONFIG_HOME: outside, ...env },
    stderr: 'ignore',
  });
  clients.push(client);
  await client.connect(transport);
  return {
    client,
    deploy: (args: object) => client.callTool({ name: 'deploy_folder', arguments: { ...args } }),
  };
}

const page = async (url: string, path = '/') => (await newCaller().send(new URL(url).pathname + path)).bytes;

it.each(REVISIONS)('serves the tools in %s, with progress', async (revision) => {
  const { client } = await connect(revision);
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['generate', 'deploy', 'deploy_folder']));
  const messages: unknown[] = [];
  const onprogress = ({ message }: Progress) => messages.push(message);
  const args = { prompt: 'a quiz', model: 'provider-d' };
  const generated = await client.callTool({ name: 'generate', arguments: args }, { onprogress });
  // A slow generation also says what is being written.
  const done = messages.filter((message) => !String(message).includes('being written'));
  expect(done).toEqual([expect.stringContaining('provider-d'), 'index.html is complete']);
  const { id } = dataOf(generated);
  const { url } = dataOf(await client.callTool({ name: 'deploy', arguments: { generationId: id } }));
  expect(String(await page(url))).toContain('Scripted');
});

it('deploys a folder without its bytes, its secrets or its token', async () => {
  const bytes = Buffer.from([0, 0xff, 0x89]);
  const path = folder('site', {
    'index.html': '<title>One</title>',
    'photo.bin': bytes,
    '.env': 'SECRET=1',
  });
  const { deploy } = await connect('2026-07-28', { PTP_API_KEY: '' });
  const first = await deploy({ path: 'site' });
  const { url, fileCount, token, claimUrl, expiresAt } = dataOf(first);
  expect([fileCount, token, claimUrl]).toEqual([2, undefined, undefined]);
  expect(expiresAt).toBeGreaterThan(Date.now());
  expect(JSON.stringify(first)).not.toMatch(/ptd_|SECRET|<title>/);
  expect(textOf(first)).toContain(url);
  expect(await page(url, '/photo.bin')).toEqual(bytes);
  expect(statSync(join(path, '.ptp.json')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(path, '.ptp.json'), 'utf8')).toContain('ptd_');

  writeFileSync(join(path, 'index.html'), '<title>Two</title>');
  expect(dataOf(await deploy({ path }))).toMatchObject({ url, created: false, changed: 1 });
  expect(String(await page(url))).toContain('Two');
});

it('deploys no folder but those that it was started for', async () => {
  writeFileSync(join(outside, 'passwords.txt'), 'secret');
  symlinkSync(outside, join(root, 'way-out'));
  symlinkSync(join(outside, 'passwords.txt'), join(folder('linked', { 'index.html': '' }), 'notes.txt'));
  const { deploy } = await connect();
  for (const path of ['..', '../..', '/', '/etc', 'way-out', 'site/../..', `${root}-other`, '\0']) {
    const refused = await deploy({ path });
    expect([path, refused.isError, textOf(refused)]).toEqual([path, true, expect.any(String)]);
    expect(textOf(refused)).toMatch(
      path === '\0' ? /There is no folder/ : /is not in .*: start "ptp mcp" with a folder/,
    );
  }
  writeFileSync(join(outside, 'index.html'), 'secret');
  symlinkSync(outside, join(folder('built', {}), 'dist'));
  const built = await deploy({ path: 'built' });
  expect([built.isError, textOf(built)]).toEqual([true, expect.stringContaining('leads out of the folder')]);
  const linked = await deploy({ path: 'linked' });
  expect([linked.isError, textOf(linked)]).toEqual([true, expect.stringContaining('leads out of the folder')]);
});

it('says what to do about a folder that cannot be deployed', async () => {
  folder('source', {
    'package.json': '{"scripts":{"build":"vite build"}}',
    'index.html': '<title>Source</title>',
  });
  const { deploy } = await connect();
  const missing = await deploy({ path: 'nope' });
  expect([missing.isError, textOf(missing)]).toEqual([true, expect.stringContaining('There is no folder')]);
  const source = await deploy({ path: 'source' });
  expect([source.isError, textOf(source)]).toEqual([true, expect.stringMatching(/npm run build.*--as-is/)]);
  const foreign = { url: baseUrl, projectId: 'x', id: 'abcdefghijkl', owner: 'key', version: 'x' };
  folder('foreign', { 'index.html': '', '.ptp.json': JSON.stringify(foreign) });
  const anonymous = await connect('2026-07-28', { PTP_API_KEY: '' });
  const keyless = await anonymous.deploy({ path: 'foreign' });
  expect([keyless.isError, textOf(keyless)]).toEqual([true, expect.stringContaining('ptp login')]);
  expect(dataOf(await deploy({ path: 'source', asIs: true }))).toMatchObject({ created: true, fileCount: 2 });
});

it('says how to get a valid key', async () => {
  const { client, deploy } = await connect('2026-07-28', { PTP_API_KEY: unknownKey().key });
  folder('other', { 'index.html': '' });
  for (const refused of [await client.callTool({ name: 'list_deployments' }), await deploy({ path: 'other' })])
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('Run "ptp login"')]);
});

it('ends with its input, and writes nothing else to its output', async () => {
  const hello = { jsonrpc: '2.0', id: 1, method: 'initialize' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const ended = await ptp(['mcp', root], {
    env: { PTP_URL: baseUrl },
    input: `${JSON.stringify({ ...hello, params })}\n`,
  });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(ended.stdout)).toMatchObject({ id: 1, result: { protocolVersion: '2025-06-18' } });
});
