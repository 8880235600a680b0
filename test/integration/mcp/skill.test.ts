import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ownAddress } from '../../support/cloud/agents.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { newKey } from '../../support/cloud/keys.ts';

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

it('has commands that work, in their order', async () => {
  await using resources = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'ptp-skill-'));
  try {
    const ptp = join(folder, 'ptp');
    writeFileSync(ptp, `#!/bin/sh\nexec ${process.execPath} ${resolve('bin/ptp.js')} "$@"\n`);
    chmodSync(ptp, 0o755);
    const script = Array.from((await skill()).matchAll(/^```sh\n([\s\S]*?)^```$/gm), ([, code]) => code).join(
      '\n',
    );
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
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('names only paths, tools and statuses that exist', async () => {
  const text = await skill();
  const paths = Array.from(
    text.matchAll(/\$PTP_URL(\/[^\s"`{]*[^\s"`{/])(?=[`"\s])/g),
    ([, path = '']) => path,
  );
  expect(paths).toEqual(expect.arrayContaining(['/mcp', '/docs.md', '/api/v1/generate']));
  for (const path of new Set(paths))
    expect([path, (await newCaller().send(path)).status]).not.toEqual([path, 404]);
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const accept = 'application/json, text/event-stream';
  const { tools } = (await newCaller().post('/mcp', list, { accept })).json.result;
  const known = [...tools.map(({ name }: { name: string }) => name), 'deploy_folder'];
  for (const [, name] of text.matchAll(/`((?:list|get|deploy)_\w+)`/g)) expect(known).toContain(name);
});
