import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startService } from '../local/service.ts';
import { storePicture, storePictureOfVersion } from '../test/support/buckets.ts';
import { freePort } from '../test/support/free-port.ts';
import { performScenario } from '../web/reference/examples/perform.ts';
import { Recorder, type Recordings } from '../web/reference/examples/recorder.ts';
import { EXAMPLES_FILE } from '../web/reference/samples.ts';

const run = promisify(execFile);

const BASE_URL = 'http://localhost:3000';
const BACKEND_URL = 'http://127.0.0.1:3009';

// Performs the scenario on a local service with a temporary state, and writes the examples of the reference. Values that
// differ from one run to the next are replaced, so that a run changes the file only if the service has changed.

const folder = mkdtempSync(join(tmpdir(), 'ptp-examples-'));
const settings = {
  port: await freePort(),
  backendPort: await freePort(),
  stateDir: join(folder, 'state'),
  configFile: join(folder, 'config.json'),
};

/** A provider that never responds, for the example of a cancellation. */
const slow = createServer(() => {}).listen(0, '127.0.0.1');
await once(slow, 'listening');
const baseUrl = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/v1`;
const config = {
  stage: 'local',
  providers: {
    'provider-a': { kind: 'blueprint' },
    'provider-b': { kind: 'openai-compatible', baseUrl, model: 'qwen3-coder' },
  },
  rateLimit: { anonymous: 1_000 },
  customDomains: true,
  // Other machines may have no browser.
  look: { enabled: false },
};
writeFileSync(settings.configFile, JSON.stringify(config));

try {
  const cloud = await startService(settings, { log: () => {} });
  const recordings = await record(cloud.baseUrl).finally(cloud.close);
  writeFileSync(EXAMPLES_FILE, `${JSON.stringify(recordings, null, 2)}\n`);
} finally {
  slow.closeAllConnections();
  slow.close();
  rmSync(folder, { recursive: true, force: true });
}

async function record(serviceUrl: string): Promise<Recordings> {
  const recorder = new Recorder(serviceUrl);
  recorder.alias(serviceUrl, BASE_URL);
  recorder.alias(`http://127.0.0.1:${settings.backendPort}`, BACKEND_URL);
  await performScenario(recorder, {
    slowProvider: 'provider-b',
    keys,
    stage: (body) => stage(serviceUrl, body),
    picture: (id, attempt, png) => storePicture(id, attempt, png, settings),
    pictureOfVersion: (id, version, png) => storePictureOfVersion(id, version, png, settings),
    write: (id, collection, fields) => write(`${serviceUrl}/d/${id}/.data/${collection}`, fields),
  });
  return recorder.recordings();
}

async function keys(...args: string[]): Promise<string> {
  const env = { ...process.env, STATE_DIR: settings.stateDir };
  return (await run(process.execPath, ['cli/keys.ts', ...args], { env })).stdout;
}

/** Adds an item to the data of a site, which has no origin of its own here. */
async function write(url: string, fields: object): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(fields) });
  if (response.status !== 201) throw new Error(`${url}: ${response.status} ${await response.text()}`);
}

/** Sends a body without `Content-Length` and returns the path of the redirect. */
async function stage(serviceUrl: string, body: string): Promise<string> {
  const response = await fetch(`${serviceUrl}/api/v1/deploy`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': 'application/json' },
    body: new Blob([body]).stream(),
    duplex: 'half',
  });
  if (response.status !== 303) throw new Error(`deploy: ${response.status} ${await response.text()}`);
  return new URL(response.headers.get('Location') ?? '').pathname;
}
