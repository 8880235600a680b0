import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { main as keysMain } from '../../../cli/keys.ts';
import { closeAtEnd } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { executionsOf, stopExecution } from '../../support/cloud/executions.ts';
import { operate } from '../../support/cloud/keys.ts';
import { startReceiver } from '../../support/receiver.ts';
import type { Script } from '../../support/vendors/index.ts';
import { oneModel } from '../clouds.ts';

const GENERATE = '/api/v1/generate';
const FILE = '<file path="index.html">\n<title>Half</title>\n</file>\n<file path="style.css">\n';

const script: Script = (_, { body }) =>
  JSON.stringify(body).includes('half a page') ? [{ text: FILE }, 'hang'] : ['hang'];

const running = await oneModel();
running.answerWith(script);
const receiver = closeAtEnd(await startReceiver());
const key = { 'x-api-key': (await operate(keysMain, ['create', '--name', 'test'], running.stateDir)).trimEnd() };

/** Starts a generation that notifies the receiver. @returns functions about it */
async function start(prompt: string) {
  const { post, send } = newCaller(running.baseUrl);
  const headers = { ...key, prefer: 'respond-async' };
  const path = `/hooks/${crypto.randomUUID()}`;
  const accepted = await post(GENERATE, { prompt, webhook: { url: receiver.url + path } }, headers);
  const id = String(accepted.headers['x-generation-id']);
  const resource = `/api/v1/generations/${id}`;
  const now = async () => (await send(resource, { headers: key })).json;
  const notifications = () => receiver.requests.filter((request) => request.path === path);
  return {
    id,
    now,
    notifications,
    send: (url = '', method = 'GET') => send(resource + url, { method, headers: key }),
  };
}

type Now = Awaited<ReturnType<typeof start>>['now'];

async function until(now: Now, status: string): Promise<void> {
  while ((await now()).status !== status) await sleep(20);
}

/** Waits until nothing runs and every event has been delivered. */
async function quiet(): Promise<void> {
  const events = join(running.stateDir, 'events');
  while (executionsOf(running.stateDir).length + readdirSync(events).length > 0) await sleep(20);
}

describe('an execution that is stopped', () => {
  it('fails a generation without files, which says so', async () => {
    const { id, now, send, notifications } = await start('a page');
    await until(now, 'running');
    await stopExecution(running.stateDir, id);
    await until(now, 'failed');
    const { status, json } = await send('/result');
    expect(status).toBe(503);
    expect(json.error).toMatch(/^The generation was interrupted \(provider-a: The execution ended early\)/);
    await quiet();
    expect(notifications().map((request) => request.json.type)).toEqual(['generation.failed']);
  });

  it('keeps the files that were written, and names what is missing', async () => {
    const { id, now, send, notifications } = await start('half a page');
    while ((await now()).files.length === 0) await sleep(20);
    await stopExecution(running.stateDir, id);
    await until(now, 'incomplete');
    const { problems, attempts } = await now();
    expect(problems).toEqual(['The generation was interrupted']);
    expect(attempts).toMatchObject([{ outcome: 'interrupted', reason: 'The execution ended early', files: 1 }]);
    expect((await send('/result')).json).toMatchObject({ fileCount: 1 });
    await quiet();
    expect(notifications().map((request) => request.json.type)).toEqual(['generation.incomplete']);
  });
});
