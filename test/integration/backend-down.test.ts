import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { newCaller } from './client.ts';
import { startVariant, type Variant } from './variant.ts';

const PAGE = { files: [{ path: 'index.html', content: '<title>Still here</title>' }] };

/** The process that listens on a port, as `lsof` would find it. */
function listenerOf(port: number): number {
  const inode = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(
      ([, local, , state]) =>
        state === '0A' && local?.endsWith(`:${port.toString(16).toUpperCase().padStart(4, '0')}`),
    )?.[9];
  const found = execFileSync('sh', [
    '-c',
    `ls -l /proc/[0-9]*/fd 2>/dev/null | awk '/^\\/proc/ {p=$0} /socket:\\[${inode}\\]/ {print p}'`,
  ]);
  return Number(/\/proc\/(\d+)/.exec(found.toString())?.[1]);
}

const listening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await setTimeout(50);
}

describe('when the deployment backend is away', () => {
  let running: Variant;
  let restarted: ChildProcess | undefined;

  beforeAll(async () => {
    running = await startVariant();
  }, 30_000);
  afterAll(async () => {
    restarted?.kill();
    await running.close();
  });

  it('deploy is 502 and nothing else breaks; when it is back, nothing is lost', async () => {
    const { baseUrl, backendPort, stateDir } = running;
    const caller = newCaller(baseUrl);
    const before = await caller.post('/api/v1/deploy', { ...PAGE, projectId: 'kept' });
    expect(before.status).toBe(201);

    process.kill(listenerOf(backendPort), 'SIGKILL');
    await until(async () => !(await listening(backendPort)));
    const away = await caller.post('/api/v1/deploy', PAGE);
    expect(away.status).toBe(502);
    expect(away.json).toEqual({
      error:
        'The deployment backend is unreachable; nothing half done is visible. Try again in a few seconds',
    });
    const generate = await caller.post('/api/v1/generate', { prompt: 'a page' });
    expect(generate).toMatchObject({
      status: 503,
      json: { error: expect.stringContaining('cannot be reached') },
    });
    const page = await caller.send(`/d/${before.json.id}/`);
    expect(page).toMatchObject({
      status: 503,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    });

    const env = { ...process.env, STATE_DIR: stateDir, BACKEND_PORT: String(backendPort) };
    restarted = spawn(process.execPath, ['local/backend.ts'], { env, stdio: 'ignore' });
    await until(() => listening(backendPort));
    const after = await caller.post('/api/v1/deploy', { ...PAGE, projectId: 'kept' });
    expect(after).toMatchObject({ status: 200, json: { ...before.json } });
    expect((await caller.send(`/d/${before.json.id}/`)).text).toContain('Still here');
  }, 60_000);
});
