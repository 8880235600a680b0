import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { emptyState, lockState } from '../../../local/lock.ts';
import { startService } from '../../../local/service.ts';

type Child = ChildProcessByStdio<null, Readable, null>;

/** Locks the folder in its first argument, prints its process id or the error, and keeps running. */
const HOLDER = `
  const { lockState } = await import(${JSON.stringify(new URL('../../../local/lock.ts', import.meta.url))});
  await lockState(process.argv[1]).then(() => console.log(process.pid), (error) => console.log(error.message));
  setInterval(() => {}, 1000);`;

let stateDir: string;
let children: Child[];

beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'ptp-lock-'));
  children = [];
});
afterEach(async () => {
  await Promise.all(children.map(kill));
  rmSync(stateDir, { recursive: true, force: true });
});

function start(command: string, args: string[]): Child {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  return child;
}

const HOLDER_ARGS = ['--input-type=module', '--eval', HOLDER];
const startHolder = () => start(process.execPath, [...HOLDER_ARGS, stateDir]);

async function firstLine({ stdout }: Child): Promise<string> {
  const [chunk] = await once(stdout.setEncoding('utf8'), 'data');
  return String(chunk).trim();
}

async function kill(child: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test('only one service at a time can lock the state in a process', async () => {
  const unlock = await lockState(stateDir);
  await expect(lockState(stateDir)).rejects.toThrow(`in use by process ${process.pid}`);
  await unlock();
  const again = await lockState(stateDir);
  await unlock();
  await expect(lockState(stateDir)).rejects.toThrow(`in use by process ${process.pid}`);
  await again();
});

test('a second attempt in the same process does not release the lock for others', async () => {
  const unlock = await lockState(stateDir);
  await expect(lockState(stateDir)).rejects.toThrow('in use');
  expect(await firstLine(startHolder())).toMatch(`in use by process ${process.pid}`);
  await unlock();
});

test('exactly one of several concurrent starts gets the lock, and the others name it', async () => {
  const lines = await Promise.all(Array.from({ length: 4 }, () => firstLine(startHolder())));
  const [winner, ...more] = lines.filter((line) => /^\d+$/.test(line));
  expect(more).toEqual([]);
  const errors = lines.filter((line) => line !== winner);
  expect(errors).toHaveLength(3);
  for (const error of errors) expect(error).toMatch(/is in use by (process \d+|another process): stop it/);
  await expect(lockState(stateDir)).rejects.toThrow(`in use by process ${winner}`);
});

test('a zombie process does not hold the lock', async () => {
  // The shell is replaced with a program that never reaps its child.
  const script = `"$@" & exec sleep 1000 > /dev/null`;
  const parent = start('sh', ['-c', script, 'sh', process.execPath, ...HOLDER_ARGS, stateDir]);
  const pid = Number(await firstLine(parent));
  await expect(lockState(stateDir)).rejects.toThrow(`in use by process ${pid}`);
  process.kill(pid, 'SIGKILL');
  await text(parent.stdout);
  const unlock = await lockSoon();
  expect(() => process.kill(pid, 0)).not.toThrow();
  await unlock();
});

/** Waits for the lock, since a killed process does not close its files at once. */
async function lockSoon(): Promise<() => void> {
  for (const end = Date.now() + 10_000; ; await sleep(10)) {
    try {
      return lockState(stateDir);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

test('the path can be longer than a socket address', async () => {
  const long = join(stateDir, 'x'.repeat(120), 'y'.repeat(120));
  const unlock = await lockState(long);
  await expect(lockState(long)).rejects.toThrow('in use');
  await unlock();
});

test('the lock file of an older version does not block', async () => {
  writeFileSync(join(stateDir, 'lock'), JSON.stringify({ pid: process.ppid, uptime: 0 }));
  await (await lockState(stateDir))();
});

test('emptying the state keeps the lock', async () => {
  const unlock = await lockState(stateDir);
  writeFileSync(join(stateDir, 'key'), 'k');
  mkdirSync(join(stateDir, 's3'));
  emptyState(stateDir);
  expect(readdirSync(stateDir)).toEqual(['lock.db']);
  expect(await firstLine(startHolder())).toMatch('in use');
  await unlock();
});

test('rejects a path that cannot be a folder, with the path and the variable', async () => {
  const file = join(stateDir, 'file');
  writeFileSync(file, '');
  await expect(lockState(join(file, 'state'))).rejects.toThrow(
    /^Cannot use the state folder .*\/file\/state \(ENOTDIR: .*\): set STATE_DIR to a writable folder$/,
  );
});

describe('a failed start changes nothing', () => {
  test('while another service uses the state', async () => {
    const file = join(stateDir, 'operator.json');
    writeFileSync(file, '{}');
    const unlock = await lockState(stateDir);
    const failing = spawn(process.execPath, ['local/start.ts', '--fresh'], {
      env: { ...process.env, STATE_DIR: stateDir, PORT: '1', BACKEND_PORT: '2' },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 20_000,
    });
    const [stderr, [code]] = await Promise.all([text(failing.stderr), once(failing, 'exit')]);
    expect(stderr).toMatch(new RegExp(`^The state in .* is in use by process ${process.pid}: .*\n$`));
    expect([code, readFileSync(file, 'utf8')]).toEqual([1, '{}']);
    await unlock();
  });

  test('when its port is in use, and releases the lock', async () => {
    writeFileSync(join(stateDir, 'operator.json'), '{}');
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const settings = { port, backendPort: port, stateDir, configFile: '' };
    await expect(startService(settings, { fresh: true })).rejects.toThrow(`Port ${port} is in use`);
    server.close();
    expect(existsSync(join(stateDir, 'operator.json'))).toBe(true);
    await (await lockState(stateDir))();
  });
});
