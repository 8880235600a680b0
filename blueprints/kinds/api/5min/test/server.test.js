import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fields, resource } from '../src/schema.js';

const SAMPLES = { string: 'A first one', number: 12, boolean: false };
const sample = Object.fromEntries(fields.map(({ name, type }) => [name, SAMPLES[type]]));

let folder;
let server;
let base;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'api-'));
  server = spawn(process.execPath, ['server.js'], {
    cwd: new URL('..', import.meta.url),
    env: { ...process.env, PORT: '0', DATA_FILE: join(folder, 'data.json') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(server.stdout, 'data');
  base = /http:\S+/.exec(String(line))[0];
});

after(async () => {
  server.kill();
  await once(server, 'exit');
  await rm(folder, { recursive: true });
});

async function send(method, path, body) {
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(`${base}/api/${resource}${path}`, { method, ...init });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined };
}

test('an entry is created, read, changed and deleted', async () => {
  const created = await send('POST', '', sample);
  assert.equal(created.status, 201);
  const path = `/${created.body.id}`;
  assert.equal(created.headers.get('location'), `/api/${resource}${path}`);
  assert.deepEqual((await send('GET', path)).body, created.body);
  const [{ name }] = fields;
  const changed = await send('PATCH', path, { [name]: sample[name] });
  assert.deepEqual(changed.body, created.body);
  assert.equal((await send('DELETE', path)).status, 204);
  assert.equal((await send('GET', path)).status, 404);
});

test('errors name the problem', async () => {
  const { body, status } = await send('POST', '', {});
  const [{ name }] = fields;
  assert.deepEqual({ status, body }, { status: 400, body: { error: `${name} is missing` } });
  assert.equal((await send('PUT', '', {})).status, 405);
  assert.equal((await send('GET', '?sort=nothing')).status, 400);
});

test('lists are paginated', async () => {
  for (let count = 0; count < 3; count++) await send('POST', '', sample);
  const page = await send('GET', '?limit=2');
  assert.equal(page.body.length, 2);
  assert.equal(page.headers.get('x-total-count'), '3');
  const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link'))[1];
  assert.equal((await (await fetch(base + next)).json()).length, 1);
});

test('the OpenAPI description names every field', async () => {
  const response = await fetch(`${base}/openapi.json`);
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
  const { components } = await response.json();
  assert.deepEqual(Object.keys(components.schemas.Changes.properties), fields.map(({ name }) => name));
});

test('the data is stored in the file', async () => {
  assert.equal(JSON.parse(await readFile(join(folder, 'data.json'), 'utf8')).length, 3);
});
