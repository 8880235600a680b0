import * as z from 'zod';
import type { Client } from '../../client/client.ts';

export const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
/** What visitors saw before is replaced. */
export const PUBLISHES = { readOnlyHint: false, destructiveHint: true, idempotentHint: false };

export const id = z.string().describe('Id of the resource.');
export const token = z
  .string()
  .optional()
  .describe('`token` of the first deploy, if that was made without a key.');
export const ifMatch = z
  .string()
  .optional()
  .describe('Version that must be live; otherwise nothing changes.');

/** What a call of a tool works with. */
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
