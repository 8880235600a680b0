import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startCloud } from '../../../local/cloud.ts';
import { emptyState, lockState } from '../../../local/state-lock.ts';

let stateDir: string;
let lock: string;

beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'ptp-lock-'));
  lock = join(stateDir, 'lock');
});
afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

const leave = (pid: number | undefined, seconds = uptime()) =>
  writeFileSync(lock, JSON.stringify({ pid, uptime: seconds }));

test('the state is one cloud’s at a time, and the next one’s after it', () => {
  const unlock = lockState(stateDir);
  expect(() => lockState(stateDir)).toThrow(`in use by process ${process.pid}`);
  unlock();
  expect(readdirSync(stateDir)).toEqual([]);
  leave(process.ppid);
  unlock();
  expect(() => lockState(stateDir)).toThrow(`in use by process ${process.ppid}`);
});

test('a process that was killed leaves nothing that blocks', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  try {
    leave(other.pid);
    expect(() => lockState(stateDir)).toThrow(`in use by process ${other.pid}`);
  } finally {
    await killed(other);
  }
  lockState(stateDir)();
});

describe('a process that has the id by chance does not block', () => {
  test('because it is this one', () => {
    leave(process.pid);
    lockState(stateDir)();
  });

  test('because the machine was started again', () => {
    leave(process.ppid, uptime() + 3600);
    lockState(stateDir)();
  });
});

test('a lock that does not say whose it is blocks, and the sentence says how to go on', () => {
  writeFileSync(lock, '');
  expect(() => lockState(stateDir)).toThrow(
    `The state in ${stateDir} is in use by another process: stop it, or set STATE_DIR, PORT and BACKEND_PORT for a second service. If that is no local cloud, delete ${lock}.`,
  );
});

test('emptying the state leaves the lock', () => {
  const unlock = lockState(stateDir);
  writeFileSync(join(stateDir, 'key'), 'k');
  emptyState(stateDir);
  expect(readdirSync(stateDir)).toEqual(['lock']);
  unlock();
});

describe('a start that fails touches nothing', () => {
  const state = () => readdirSync(stateDir).map((name) => readFileSync(join(stateDir, name), 'utf8'));

  test('of a service that is running on the state', async () => {
    writeFileSync(join(stateDir, 'operator.json'), '{}');
    const unlock = lockState(stateDir);
    const before = state();
    const start = spawn(process.execPath, ['local/start.ts', '--fresh'], {
      env: { ...process.env, STATE_DIR: stateDir, PORT: '1', BACKEND_PORT: '2' },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 20_000,
    });
    const [stderr, [code]] = await Promise.all([text(start.stderr), once(start, 'exit')]);
    expect(stderr).toMatch(new RegExp(`^The state in .* is in use by process ${process.pid}: .*\n$`));
    expect([code, state()]).toEqual([1, before]);
    unlock();
  });

  test('when its port is taken, and it gives the state free', async () => {
    writeFileSync(join(stateDir, 'operator.json'), '{}');
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const settings = { port, backendPort: port, stateDir, configFile: '' };
    await expect(startCloud(settings, { fresh: true })).rejects.toThrow(`Port ${port} is in use`);
    server.close();
    expect(readdirSync(stateDir)).toEqual(['operator.json']);
  });
});

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}
