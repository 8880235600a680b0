import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { emptyFolder } from '../support/at-end.ts';
import { freePort } from '../support/free-port.ts';
import { serve } from '../support/serve.ts';
import { account, allow, role } from '../support/test-backend.ts';

const owner = role('Owner', allow('*', '*'));
const TABLE = {
  name: 'items',
  keySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  attributes: [{ AttributeName: 'pk', AttributeType: 'S' }],
} as const;
const ACCOUNT = account([owner], [{ name: 'sites', policy: [] }], [TABLE]);

const stateDir = emptyFolder();
let children: ChildProcess[];

beforeEach(async () => {
  await writeFile(join(stateDir, 'account.json'), JSON.stringify(ACCOUNT));
  children = [];
});
afterEach(async () => {
  const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

/** Starts the backend process. */
function start(env: Record<string, string>, ipc = false) {
  const child = spawn(process.execPath, [resolve('local/backend.ts')], {
    env: { ...process.env, STATE_DIR: stateDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ipc ? 'ipc' : 'ignore'],
  });
  children.push(child);
  const ended = Promise.all([once(child, 'exit'), text(child.stderr as Readable)]).then(([[code, signal], stderr]) => ({
    code,
    signal,
    stderr,
  }));
  return { child, ended };
}

/** Starts the backend process and waits until it listens. */
async function started(port: number, ipc = false) {
  const { child, ended } = start({ BACKEND_PORT: String(port) }, ipc);
  const [line] = await once(createInterface({ input: child.stdout as Readable }), 'line');
  expect(line).toBe(`backend http://127.0.0.1:${port}`);
  return { child, ended, url: `http://127.0.0.1:${port}` };
}

test.each(['SIGTERM', 'SIGINT'] as const)('exits cleanly on %s', async (signal) => {
  const { child, ended } = await started(await freePort());
  child.kill(signal);
  expect(await ended).toEqual({ code: 0, signal: null, stderr: '' });
});

test('exits with the process that started it', async () => {
  const { child, ended } = await started(await freePort(), true);
  child.disconnect();
  expect(await ended).toMatchObject({ code: 0 });
});

describe('explains on one line why it cannot start:', () => {
  const oneLine = (words: RegExp) => ({ code: 1, signal: null, stderr: expect.stringMatching(words) });

  test('the port is in use', async () => {
    const { port, close } = await serve(createServer());
    const { ended } = start({ BACKEND_PORT: String(port) });
    expect(await ended).toEqual(oneLine(new RegExp(`^Port ${port} is in use: .*BACKEND_PORT\n$`)));
    await close();
  });

  test('another backend uses the state', async () => {
    await started(await freePort());
    const { ended } = start({ BACKEND_PORT: String(await freePort()) });
    expect(await ended).toEqual(oneLine(/^Cannot open .*dynamodb: stop the backend .*\n$/));
  });

  test('the port is invalid', async () => {
    const { ended } = start({ BACKEND_PORT: 'abc' });
    expect(await ended).toEqual(oneLine(/^Invalid BACKEND_PORT "abc": .*\n$/));
  });
});
