import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { newCaller } from './client.ts';
import { openEvents, until } from './events.ts';
import { freePort } from './free-port.ts';

let folder: string;
let env: NodeJS.ProcessEnv;
let service: ChildProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ptp-killed-'));
  const config = {
    stage: 'test',
    providers: { 'provider-a': { kind: 'scripted', script: 'answer', delayMs: 3_000 } },
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  env = {
    ...process.env,
    PORT: String(await freePort()),
    BACKEND_PORT: String(await freePort()),
    STATE_DIR: join(folder, 'state'),
    CONFIG_FILE: join(folder, 'config.json'),
  };
});
afterAll(async () => {
  await kill();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the service and its backend in a process group of their own. */
async function start(): Promise<void> {
  service = spawn(process.execPath, ['local/start.ts'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  for await (const line of createInterface({ input: service.stdout as NodeJS.ReadableStream }))
    if (line.startsWith('ready ')) return void service.stdout?.resume();
  throw new Error('The service ended before it was ready');
}

/** `kill -9` of the service and its backend. */
async function kill(): Promise<void> {
  if (service.pid === undefined || service.exitCode !== null || service.signalCode !== null) return;
  process.kill(-service.pid, 'SIGKILL');
  await once(service, 'exit');
}

it('a generation that was running when the service was killed goes on after the next start', async () => {
  await start();
  const caller = newCaller(`http://localhost:${env.PORT}`);
  const body = { prompt: 'a quiz' };
  const { headers } = await caller.post('/api/v1/generate', body, { prefer: 'respond-async' });
  const path = `/api/v1/generations/${headers['x-generation-id']}`;
  await until(async () => (await caller.send(path)).json.attempts.length === 1);
  await kill();

  await start();
  const stream = await openEvents(new URL(path, `http://localhost:${env.PORT}`), {});
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
