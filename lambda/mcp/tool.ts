import * as z from 'zod';
import { ApiError, type BuildProblem, Client, type ClientOptions } from '../../client/client.ts';
import { placedLine, text } from '../contract/messages.ts';

export const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
/** The hints of a tool that replaces what visitors see. */
export const PUBLISHES = { readOnlyHint: false, destructiveHint: true, idempotentHint: false };

export const id = z.string(text('id', 'the id of the resource')).describe('Id of the resource.');
export const token = z.string().optional().describe('`token` of the first deploy, if that was made without a key.');
export const ifMatch = z.string().optional().describe('Version that must be live; otherwise nothing changes.');

/** The context of a call of a tool. */
export interface Call {
  /** Sends requests with the credentials of the caller. */
  readonly client: Client;
  /** Aborted when the call must end. */
  readonly signal: AbortSignal;
  /** How long the call may wait for a generation, in milliseconds. */
  readonly holdMs: number;
  /** Whether to return as soon as there is something that the caller can poll. */
  readonly polled: boolean;
  /** Tells the caller what happened, if it wants to know. */
  readonly progress: (message: string) => void;
}

/** Data that matches the output schema, and all of it that a model needs to go on; by default, all of it as JSON. */
export interface ToolResult {
  readonly data: object;
  readonly text?: readonly string[];
  /** Pictures of the page for models that see, as PNG. */
  readonly images?: readonly Uint8Array[];
}

interface Definition<Input extends z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: z.ZodObject;
  readonly annotations: Readonly<Record<'readOnlyHint' | 'destructiveHint' | 'idempotentHint', boolean>>;
  readonly call: (args: z.output<Input>, call: Call) => Promise<ToolResult>;
}

export type Tool = ReturnType<typeof tool>;

/** A failure whose message tells the agent what to do. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** Returns a tool, with its member of `tools/list`. */
export function tool<Input extends z.ZodType>({ input, output, call, ...shown }: Definition<Input>) {
  // Loose, so that a client with an older schema accepts a field that was added since.
  const schemas = [z.toJSONSchema(input, { io: 'input' }), z.toJSONSchema(output.loose())];
  const [inputSchema, outputSchema] = schemas.map(({ $schema: _, ...rest }) => rest as { type: 'object' });
  const definition = { ...shown, inputSchema: inputSchema as { type: 'object' }, outputSchema };
  // Without the type of its arguments, which the server checks.
  return {
    listed: definition,
    input: input as z.ZodType,
    call: call as (args: never, call: Call) => Promise<ToolResult>,
  };
}

/** Returns a line for each argument of a call that is wrong, with its place unless the message begins with it. */
export function argumentErrors({ issues }: z.ZodError, { listed }: Tool): string {
  const lines = issues.map((issue) => {
    if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
      const { properties = {} } = listed.inputSchema as { properties?: object };
      return `${listed.name} does not take ${issue.keys.join(', ')}, only ${Object.keys(properties).join(', ')}`;
    }
    const place = issue.path.join('.');
    return issue.message.startsWith(place) ? issue.message : `${place}: ${issue.message}`;
  });
  return lines.join('\n');
}

/** Returns the problems of a build as an agent can act on them: a line for each, with the line of the source below. */
export function problemText(problems: readonly BuildProblem[]): string {
  const lines = problems.map((problem) => {
    const { excerpt } = problem;
    return placedLine(problem) + (excerpt === undefined ? '' : `\n    ${excerpt.trim()}`);
  });
  const count = problems.length === 1 ? 'This problem' : `These ${problems.length} problems`;
  return [`The build failed, and nothing changed. ${count} must be mended first:`, ...lines].join('\n');
}

/** How a server calls the API. */
export interface Access extends ClientOptions {
  /** How long a call may wait for a generation, and how long it may take at all, in milliseconds. */
  readonly holdMs: number;
  readonly limitMs: number;
  /** Says where to put a credential. */
  readonly credentialAdvice: string;
}

/**
 * Performs a call of a tool. A rate limit ends it at once, because an agent has better things to do than to wait.
 * @throws ToolError with the API's message and what to do
 */
export async function performCall<T>(
  { holdMs, limitMs, credentialAdvice, ...options }: Access,
  { signal: canceled, ...rest }: Pick<Call, 'signal' | 'progress'> & { readonly polled?: boolean },
  perform: (call: Call) => Promise<T>,
): Promise<T> {
  const end = new AbortController();
  const late = `The service did not respond within ${limitMs / 1000} s. What the call began may go on`;
  const timer = setTimeout(() => end.abort(new ToolError(late)), limitMs);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await (options.fetch ?? globalThis.fetch)(input, init);
    if (response.status === 429) end.abort(await rateLimitError(response.clone()));
    return response;
  };
  const signal = AbortSignal.any([canceled, end.signal]);
  try {
    const client = new Client({ ...options, fetch });
    return await perform({ polled: false, ...rest, holdMs, client, signal });
  } catch (error) {
    if (canceled.aborted) throw new ToolError('The call was canceled');
    if (!(error instanceof ApiError)) throw error;
    const { status, message, problems } = error;
    if (problems.length > 0) throw new ToolError(problemText(problems), { cause: error });
    const advice = message.includes('X-Deployment-Token') ? 'Pass it as token' : credentialAdvice;
    throw new ToolError(status === 401 ? `${message}. ${advice}` : message, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function rateLimitError(response: Response): Promise<ToolError> {
  const { error, retryAfter } = (await response.json()) as { error: string; retryAfter: number };
  return new ToolError(`${error}, or send an API key for a higher limit (retryAfter: ${retryAfter})`);
}
