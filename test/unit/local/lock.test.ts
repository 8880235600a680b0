import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { emptyState, lockState } from '../../../local/lock.ts';
import { startService } from '../../../local/service.ts';
import { emptyFolder } from '../../support/at-end.ts';
import { serve } from '../../support/serve.ts';

type Child = ChildProcessByStdio<null, Readable, null>;

/** Locks the folder in its first argument, forgets it, prints its process id or the error, and keeps running. */
const HOLDER = `
  const { lockState } = await import(${JSON.stringify(new URL('../../../local/lock.ts', import.meta.url))});
  try {
    lockState(process.argv[1]);
    gc();
    console.log(process.pid);
  } catch (error) {
    console.log(error.message);
  }
  setInterval(() => {}, 1000);`;

const stateDir = emptyFolder();
let children: Child[];

beforeEach(() => {
  children = [];
});
afterEach(() => Promise.all(children.map(kill)));

function start(command: string, args: string[]): Child {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  return child;
}

const HOLDER_ARGS = ['--expose-gc', '--input-type=module', '--eval', HOLDER];
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

const inUseBy = (pid: number | string) => `in use by process ${pid}`;

it('is held once in a process, and by the last one that locked it', () => {
  const unlock = lockState(stateDir);
  expect(() => lockState(stateDir)).toThrow(inUseBy(process.pid));
  unlock();
  const again = lockState(stateDir);
  unlock();
  expect(() => lockState(stateDir)).toThrow(inUseBy(process.pid));
  again();
});

it('is held against other processes, although this one tried again and emptied the state', async () => {
  const unlock = lockState(stateDir);
  expect(() => lockState(stateDir)).toThrow('in use');
  mkdirSync(join(stateDir, 's3'));
  emptyState(stateDir);
  expect(readdirSync(stateDir)).toEqual(['state.lock', 'state.pid']);
  expect(await firstLine(startHolder())).toMatch(inUseBy(process.pid));
  unlock();
});

it('goes to exactly one of several processes that start at once, and the others name it', async () => {
  const lines = await Promise.all(Array.from({ length: 3 }, () => firstLine(startHolder())));
  const [winner, ...more] = lines.filter((line) => /^\d+$/.test(line));
  expect(more).toEqual([]);
  for (const error of lines.filter((line) => line !== winner))
    expect(error).toMatch(/is in use by (process \d+|another process): stop it/);
  expect(() => lockState(stateDir)).toThrow(inUseBy(winner ?? ''));
});

it('is not held by a killed process, even while that is a zombie', async () => {
  // The shell is replaced with a program that never reaps its child.
  const script = `"$@" & exec sleep 1000 > /dev/null`;
  const parent = start('sh', ['-c', script, 'sh', process.execPath, ...HOLDER_ARGS, stateDir]);
  const pid = Number(await firstLine(parent));
  expect(() => lockState(stateDir)).toThrow(inUseBy(pid));
  process.kill(pid, 'SIGKILL');
  await text(parent.stdout);
  const unlock = await lockSoon();
  expect(() => process.kill(pid, 0)).not.toThrow();
  unlock();
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

it('rejects a path that cannot be a folder, with the path and the variable', () => {
  const file = join(stateDir, 'file');
  writeFileSync(file, '');
  expect(() => lockState(join(file, 'state'))).toThrow(
    /^Cannot use the state folder .*\/file\/state \(ENOTDIR: .*\): set STATE_DIR to a writable folder$/,
  );
});

describe('a start that fails keeps the state', () => {
  const startFresh = (port: number) =>
    startService({ port, backendPort: port, stateDir, configFile: '' }, { fresh: true });
  beforeEach(() => writeFileSync(join(stateDir, 'operator.json'), '{}'));
  afterEach(() => expect(existsSync(join(stateDir, 'operator.json'))).toBe(true));

  it('while another service uses it', async () => {
    const unlock = lockState(stateDir);
    await expect(startFresh(1)).rejects.toThrow(inUseBy(process.pid));
    unlock();
  });

  it('if its port is in use, and releases the lock', async () => {
    const { port, close } = await serve(createServer());
    await expect(startFresh(port)).rejects.toThrow(`Port ${port} is in use`);
    await close();
    lockState(stateDir)();
  });
});
