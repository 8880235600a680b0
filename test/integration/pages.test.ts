import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DOCUMENT_NAMES, documentText } from '../../web/reference/openapi/files.ts';
import { newCaller } from '../support/cloud/client.ts';
import { cloud } from '../support/cloud/cloud.ts';

const caller = newCaller();
const headers = { origin: 'https://elsewhere.example' };

it.each(DOCUMENT_NAMES)('serves /api/v1/%s to pages of any origin', async (name) => {
  const answer = await caller.send(`/api/v1/${name}`, { headers });
  expect(answer).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'cache-control': 'max-age=0, s-maxage=300',
      'x-content-type-options': 'nosniff',
    },
  });
  expect(answer.text === documentText(name)).toBe(true);
});

it('responds to other paths beside the documents as the API does', async () => {
  const { status, json } = await caller.send('/api/v1/openapi.yaml');
  expect({ status, json }).toEqual({ status: 404, json: { error: expect.stringContaining('/docs') } });
});

it.each(['/', '/docs'])('links from %s to the description of the API', async (path) => {
  const answer = await caller.send(path);
  expect(answer).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      link: '</api/v1/openapi.json>; rel="service-desc"',
      'x-frame-options': 'DENY',
    },
  });
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
});

it('has an example at /index.md that runs in a shell', async () => {
  const { text } = await caller.send('/index.md');
  const [, example = ''] = /```shell\n(curl [\s\S]*?)```/.exec(text) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'ptp-pasted-'));
  try {
    const env = { ...process.env, BASE: cloud().baseUrl };
    const { stdout } = await promisify(execFile)('sh', ['-ec', example], { cwd: folder, env });
    expect(JSON.parse(stdout)).toMatchObject({ title: expect.stringContaining('Pomodoro') });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
