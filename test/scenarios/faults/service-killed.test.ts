import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { main as keysMain } from '../../../cli/keys.ts';
import { temporaryFolder } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { openEvents, until } from '../../support/cloud/events.ts';
import { operate } from '../../support/cloud/keys.ts';
import { withVariables } from '../../support/cloud/variant.ts';
import { freePort } from '../../support/free-port.ts';
import { startReceiver } from '../../support/receiver.ts';

/** Runs the assembly in the file of its first argument, with the settings in the second one. */
const SERVICE = `
  const { readFileSync } = await import('node:fs');
  const { runAssembly } = await import(${JSON.stringify(new URL('../../../local/service.ts', import.meta.url))});
  const [assembly, settings] = process.argv.slice(1);
  const { baseUrl } = await runAssembly(JSON.parse(readFileSync(assembly, 'utf8')), JSON.parse(settings), () => {});
  console.log('ready ' + baseUrl);`;

let service: ChildProcess;
afterAll(() => kill());
const folder = temporaryFolder();
const assembly = join(folder, 'assembly.json');
const settings = { port: await freePort(), backendPort: await freePort(), stateDir: folder, configFile: '' };

/** Starts the service and its backend in a separate process group, with a provider that answers or hangs. */
async function start(script: 'answer' | 'hang' = 'answer'): Promise<void> {
  const provider = { kind: 'scripted', script, delayMs: 0 };
  writeFileSync(assembly, JSON.stringify(withVariables({ PROVIDERS: { 'provider-a': provider } })));
  const args = ['--input-type=module', '--eval', SERVICE, assembly, JSON.stringify(settings)];
  service = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const [line] = await once(service.stdout as Readable, 'data');
  expect(String(line)).toMatch(/^ready /);
}

/** Kills the service and its backend with SIGKILL. */
async function kill(): Promise<void> {
  if (service.pid === undefined || service.exitCode !== null || service.signalCode !== null) return;
  process.kill(-service.pid, 'SIGKILL');
  await once(service, 'exit');
}

it('resumes a running generation after the service was killed and restarted', async () => {
  await start('hang');
  const caller = newCaller(`http://localhost:${settings.port}`);
  const body = { prompt: 'a quiz' };
  const { headers } = await caller.post('/api/v1/generate', body, { prefer: 'respond-async' });
  const path = `/api/v1/generations/${headers['x-generation-id']}`;
  await until(async () => (await caller.send(path)).json.attempts.length === 1);
  await kill();

  await start();
  const stream = await openEvents(new URL(path, `http://localhost:${settings.port}`), {});
  const { status, json } = await caller.send(`${path}/result`);
  expect([status, json.model]).toEqual([200, 'provider-a/scripted']);
  await stream.ended;
  expect(stream.events.at(-1)).toMatchObject({ event: 'done', data: json });
  expect((await caller.send(path)).json).toMatchObject({
    status: 'succeeded',
    attempts: [
      { provider: 'provider-a', outcome: 'interrupted', reason: 'The function ended early' },
      { provider: 'provider-a', outcome: 'succeeded' },
    ],
  });
});

it('resumes the delivery of a webhook', async () => {
  let status = 500;
  const { url, requests, close } = await startReceiver(() => status);
  const key = (await operate(keysMain, ['create', '--name', 'test'], folder)).trimEnd();
  const caller = newCaller(`http://localhost:${settings.port}`);
  const files = [{ path: 'index.html', content: 'Hello' }];
  await caller.post('/api/v1/deploy', { files, webhook: { url } }, { authorization: `Bearer ${key}` });
  await until(async () => requests.length >= 2);
  await kill();

  status = 204;
  const before = requests.length;
  await start();
  await until(async () => requests.length > before);
  expect(new Set(requests.map(({ id, text }) => `${id} ${text}`)).size).toBe(1);
  close();
});
