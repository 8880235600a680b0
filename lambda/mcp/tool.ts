import * as z from 'zod';
import type { Client } from '../../client/client.ts';

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
export interface Outcome {
  readonly data: object;
  readonly text?: readonly string[];
}

export interface Tool<Input extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: z.ZodObject;
  readonly annotations: Readonly<Record<'readOnlyHint' | 'destructiveHint' | 'idempotentHint', boolean>>;
  readonly call: (args: z.output<Input>, call: Call) => Promise<Outcome>;
}

/** A failure whose message tells the agent what to do. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** Returns a tool without the type of its arguments, which the server checks. */
export const tool = <Input extends z.ZodType>(typed: Tool<Input>) => typed as unknown as Tool;

const known = new WeakMap<Tool, ReturnType<typeof describe>>();

/** Returns a tool as a member of `tools/list`. */
export function listed(tool: Tool) {
  const described = known.get(tool) ?? describe(tool);
  known.set(tool, described);
  return described;
}

function describe({ input, output, call: _, ...shown }: Tool) {
  // Loose, so that a client with an older schema accepts a field that was added since.
  const types = [z.toJSONSchema(input, { io: 'input' }), z.toJSONSchema(output.loose())];
  const [inputSchema, outputSchema] = types.map(({ $schema: _, ...rest }) => rest as { type: 'object' });
  return { ...shown, inputSchema: inputSchema as { type: 'object' }, outputSchema };
}
