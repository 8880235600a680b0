import {
  type CallToolResult,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { GenerationResource } from '../../client/client.ts';
import pkg from '../../package.json' with { type: 'json' };
import type { ApiResponse } from '../http/request.ts';
import { log } from '../platform/log.ts';
import { generationResult, hasProject, isOver, summary } from './generations.ts';
import { type Access, argumentErrors, type Call, performCall, type Tool, ToolError, type ToolResult } from './tool.ts';
import { generate } from './tools.ts';

/** The extension of 2026-07-28 (SEP-2663). */
export const TASKS = 'io.modelcontextprotocol/tasks';
const TASK = { ttlMs: 86_400_000, pollIntervalMs: 2_000 };

/** Tools change with a release only. */
const CACHED = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/**
 * Returns a server for one connection, without state of its own: a task is a generation of the API.
 * @param era `modern` is the protocol since 2026-07-28
 */
export function mcpServer(tools: readonly Tool[], era: 'legacy' | 'modern', access: Access): Server {
  const modern = era === 'modern';
  const server = new Server(
    { name: 'prompt-to-project', version: pkg.version },
    {
      capabilities: { tools: {}, ...(modern ? { extensions: { [TASKS]: {} } } : {}) },
      instructions: 'Call generate with a prompt, then deploy with the id of the generation to publish it.',
      cacheHints: { 'tools/list': CACHED, 'server/discover': CACHED },
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(({ listed }) => listed) }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = tools.find(({ listed }) => listed.name === params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}`);
    const args = tool.input.safeParse(params.arguments ?? {});
    if (!args.success) return errorResult(argumentErrors(args.error, tool));
    const polled = tool === generate && supportsTasks(context);
    const requested = { ...requestOf(context), polled };
    try {
      const outcome = await performCall(access, requested, (call) => tool.call(args.data as never, call));
      const generation = outcome.data as GenerationResource;
      if (!polled || isOver(generation)) return successResult(outcome);
      return taskOf(generation, 'task', { status: 'working' }) as never;
    } catch (error) {
      if (error instanceof ToolError) return errorResult(error.message);
      log.error('tool failed', { tool: params.name, error });
      throw error;
    }
  });
  if (modern) serveTasks(server, access);
  return server;
}

/** Serves the extension. No task asks for input, so an update only confirms that there is one. */
function serveTasks(server: Server, access: Access): void {
  const get = ({ client, signal }: Call, id: string) => client.generations.get(id, { signal });
  const methods = {
    'tasks/get': async (call: Call, id: string) => {
      const generation = await get(call, id);
      return taskOf(generation, 'complete', await stateOf(generation, call));
    },
    'tasks/update': async (call: Call, id: string) => (await get(call, id)) && {},
    'tasks/cancel': async (call: Call, id: string) => {
      if (!isOver(await get(call, id))) await call.client.generations.cancel(id, call);
      return {};
    },
  };
  const params = z.looseObject({ taskId: z.string() });
  const requiredCapabilities = { extensions: { [TASKS]: {} } };
  for (const [method, perform] of Object.entries(methods))
    server.setRequestHandler(method, { params }, async ({ taskId }, context) => {
      if (!supportsTasks(context)) throw new MissingRequiredClientCapabilityError({ requiredCapabilities });
      try {
        return await performCall(access, requestOf(context), (call) => perform(call, taskId));
      } catch (error) {
        const { message, cause } = error as Error & { cause?: { status?: number } };
        const { InvalidParams, InternalError } = ProtocolErrorCode;
        throw new ProtocolError(cause?.status === 404 ? InvalidParams : InternalError, message);
      }
    });
}

/** Returns a generation as a task, whose id it shares. */
function taskOf(generation: GenerationResource, resultType: 'task' | 'complete', state: object) {
  const { id, createdAt, finishedAt, attempts } = generation;
  const updatedAt = finishedAt ?? attempts.at(-1)?.startedAt ?? createdAt;
  return {
    resultType,
    taskId: id,
    statusMessage: summary(generation),
    ...state,
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ...TASK,
  };
}

/** Returns the status of a task with its result. `failed` is for errors of the protocol only. */
async function stateOf(generation: GenerationResource, call: Call) {
  if (!isOver(generation)) return { status: 'working' };
  if (generation.status === 'canceled') return { status: 'cancelled' };
  const result = hasProject(generation)
    ? successResult(await generationResult(generation, call))
    : errorResult(summary(generation));
  return { status: 'completed', result };
}

function successResult({ data, text = [JSON.stringify(data)], images = [] }: ToolResult): CallToolResult {
  const texts = text.map((one) => ({ type: 'text', text: one }) as const);
  const pictures = images.map(
    (png) => ({ type: 'image', data: Buffer.from(png).toString('base64'), mimeType: 'image/png' }) as const,
  );
  return { content: [...texts, ...pictures], structuredContent: { ...data } };
}

const errorResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true });

function supportsTasks({ mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as { [key: string]: { extensions?: object } } | undefined;
  return TASKS in (envelope?.['io.modelcontextprotocol/clientCapabilities']?.extensions ?? {});
}

/** Returns what a call needs of its request. A client asks for progress notifications with a token. */
function requestOf({ mcpReq }: ServerContext): Pick<Call, 'signal' | 'progress'> {
  const progressToken = mcpReq._meta?.progressToken;
  let progress = 0;
  const notify = (message: string) => {
    const params = { progressToken, progress: ++progress, message };
    // A client that is gone needs no progress.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  return { signal: mcpReq.signal, progress: progressToken === undefined ? () => {} : notify };
}

const INVALID_REQUEST = -32_600;

/**
 * Returns the response to a batch, or undefined for a single message. Each message of a batch can be a call with requests of its
 * own to the API, but limits in front of this function count it as one. Revisions of the protocol since 2025-06-18 have none.
 */
export async function refuseBatch(request: Request): Promise<ApiResponse | undefined> {
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  if (!Array.isArray(body)) return undefined;
  const message = 'JSON-RPC batches are not supported: send each message in a request of its own';
  return { statusCode: 400, body: { jsonrpc: '2.0', id: null, error: { code: INVALID_REQUEST, message } } };
}
