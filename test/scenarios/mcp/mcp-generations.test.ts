import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientOptions, InMemoryTransport, type Progress } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { mcpServer, TASKS } from '../../../lambda/mcp/server.ts';
import { TOOLS } from '../../../lambda/mcp/tools.ts';
import { connect, dataOf, fetchOf, textOf } from '../../support/cloud/agents.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';
import { newKey } from '../../support/cloud/keys.ts';

const SLOW = { prompt: 'a quiz', model: 'provider-d' };
const HANGS = { prompt: 'a quiz', model: 'provider-b' };

/** Generates, waits on as the result says, and returns the status of the end. */
async function endOf(client: Client): Promise<string> {
  let { id, status } = dataOf(await client.callTool({ name: 'generate', arguments: SLOW }));
  while (status === 'queued' || status === 'running')
    ({ id, status } = dataOf(await client.callTool({ name: 'get_generation', arguments: { id } })));
  return status;
}

describe('a generation as a task', () => {
  const anything = z.looseObject({ status: z.string(), taskId: z.string() });
  // biome-ignore lint/suspicious/noExplicitAny: what was sent last
  let last: any;
  const through = fetchOf();
  const recording: typeof fetch = async (input, init) => {
    const response = await through(input, init);
    last = await response.clone().json();
    return response;
  };
  const options: ClientOptions = { capabilities: { extensions: { [TASKS]: {} } } };
  let client: Client;
  beforeAll(async () => {
    client = await connect('2026-07-28', { ...options, fetch: recording });
  });
  /** Starts one that is not over at once. The official client declares the extension, but has no calls for it. */
  const start = async (args: object) => {
    for (;;) {
      const called = client.callTool({ name: 'generate', arguments: { ...args } });
      const error = await called.catch((reason: unknown) => reason);
      if (!(error instanceof Error)) continue;
      expect(error).toMatchObject({ code: 'UNSUPPORTED_RESULT_TYPE' });
      return last.result;
    }
  };
  const get = (taskId: string) => client.request({ method: 'tasks/get', params: { taskId } }, anything);
  const ended = async (taskId: string) => {
    for (;;) {
      const task = await get(taskId);
      if (task.status !== 'working') return task;
      await new Promise((done) => setTimeout(done, 50));
    }
  };

  it('is offered to clients that support tasks', () => {
    expect(client.getServerCapabilities()).toMatchObject({ tools: {}, extensions: { [TASKS]: {} } });
  });

  it('is its id, and has its result in the end', async () => {
    const begun = await start(SLOW);
    expect(begun).toMatchObject({
      resultType: 'task',
      status: 'working',
      ttlMs: 86_400_000,
      pollIntervalMs: 2_000,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const { taskId, ...task } = await ended(begun.taskId);
    expect(task).toMatchObject({ status: 'completed', statusMessage: expect.stringContaining('index.html') });
    expect(last.result.resultType).toBe('complete');
    const { result } = task as unknown as { result: { structuredContent: object } };
    expect(result).toMatchObject({ content: [{ type: 'text' }], structuredContent: { id: taskId } });
    const tool = await client.callTool({ name: 'get_generation', arguments: { id: taskId } });
    expect(dataOf(tool)).toEqual(result.structuredContent);
  });

  it('is canceled with it', async () => {
    const { taskId } = await start(HANGS);
    await client.request({ method: 'tasks/update', params: { taskId, inputResponses: {} } }, z.looseObject({}));
    await client.request({ method: 'tasks/cancel', params: { taskId } }, z.looseObject({}));
    expect(await ended(taskId)).toMatchObject({ status: 'cancelled' });
    // A second cancellation changes nothing, as the extension demands.
    await client.request({ method: 'tasks/cancel', params: { taskId } }, z.looseObject({}));
  });

  it('is unknown without its id', async () => {
    await expect(get('../usage')).rejects.toMatchObject({ code: -32602 });
  });

  it('is for clients only that declare their support with the request', async () => {
    const other = await connect('2026-07-28');
    expect(await endOf(other)).toBe('succeeded');
    const params = { taskId: 'x' };
    await expect(other.request({ method: 'tasks/get', params }, anything)).rejects.toMatchObject({
      code: -32021,
    });
    const before = await connect('2025-11-25', options);
    expect(before.getServerCapabilities()).toEqual({ tools: {} });
    expect(await endOf(before)).toBe('succeeded');
    await expect(before.request({ method: 'tasks/get', params }, anything)).rejects.toMatchObject({
      code: -32601,
    });
  });
});

describe('a tool that waits', () => {
  let key: string;
  beforeAll(async () => {
    key = await newKey();
  });
  /** Connects the official client to a server in this process. */
  const connected = async (holdMs: number, limitMs = 55_000) => {
    const access = { baseUrl: cloud().baseUrl, key, holdMs, limitMs, credentialAdvice: 'Log in' };
    const [here, there] = InMemoryTransport.createLinkedPair();
    await mcpServer(TOOLS, 'legacy', access).connect(there);
    const client = new Client({ name: 'suite', version: '1' });
    await client.connect(here);
    return client;
  };

  it('reports what happens', async () => {
    const messages: [number, unknown][] = [];
    const onprogress = ({ progress, message }: Progress) => messages.push([progress, message]);
    const client = await connected(50_000);
    const result = await client.callTool({ name: 'generate', arguments: SLOW }, { onprogress });
    const files: { path: string }[] = dataOf(result).files;
    const expected = ['provider-d/scripted began', ...files.map(({ path }) => `${path} is complete`)];
    expect(messages).toEqual(expected.map((message, i) => [i + 1, expect.stringContaining(message)]));
  });

  it('returns the id if it takes too long, for the tool that waits on', async () => {
    const started = await (await connected(1)).callTool({ name: 'generate', arguments: HANGS });
    const { id, status } = dataOf(started);
    expect([status, textOf(started)]).toEqual([
      expect.stringMatching(/^(queued|running)$/),
      expect.stringContaining(`call get_generation with id ${id}`),
    ]);
    const ended = (await connected(50_000)).callTool({ name: 'get_generation', arguments: { id } });
    await newCaller().send(`/api/v1/generations/${id}`, { method: 'DELETE', headers: { 'x-api-key': key } });
    expect(dataOf(await ended).status).toBe('canceled');
  });

  it('says why there is no project', async () => {
    const client = await connected(50_000);
    const { id } = dataOf(await (await connected(1)).callTool({ name: 'generate', arguments: HANGS }));
    const early = await (await connected(1)).callTool({ name: 'deploy', arguments: { generationId: id } });
    expect([early.isError, textOf(early)]).toEqual([true, expect.stringMatching(/is (queued|running)/)]);
    await newCaller().send(`/api/v1/generations/${id}`, { method: 'DELETE', headers: { 'x-api-key': key } });
    const read = await client.callTool({ name: 'get_generation', arguments: { id, paths: ['index.html'] } });
    expect([read.isError, textOf(read)]).toEqual([true, expect.stringMatching(/is canceled.*call generate/)]);
  });

  it('gives up in time', async () => {
    const late = await (await connected(50_000, 1)).callTool({ name: 'generate', arguments: SLOW });
    expect([late.isError, textOf(late)]).toEqual([true, expect.stringContaining('did not respond within 0.001 s')]);
  });

  it('cancels the generation with the call, because nobody would know its id', async () => {
    const client = await connected(50_000);
    let status: string | undefined;
    // On a busy machine, the timeout of the provider may come before the abort: then once more.
    while (status !== 'canceled') {
      const controller = new AbortController();
      const options = { signal: controller.signal, onprogress: () => controller.abort() };
      await expect(client.callTool({ name: 'generate', arguments: HANGS }, options)).rejects.toThrow();
      do {
        await sleep(50);
        const { items } = dataOf(await client.callTool({ name: 'list_generations' }));
        status = items[0]?.status;
      } while (status === 'queued' || status === 'running');
    }
  });

  it('names the files that there are', async () => {
    const client = await connected(50_000);
    const { id } = dataOf(await client.callTool({ name: 'generate', arguments: SLOW }));
    const missing = await client.callTool({ name: 'get_generation', arguments: { id, paths: ['nope.txt'] } });
    expect([missing.isError, textOf(missing)]).toEqual([
      true,
      expect.stringMatching(/There is no nope\.txt.*\(index\.html\)/),
    ]);
  });
});
