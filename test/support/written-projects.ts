import { setTimeout as sleep } from 'node:timers/promises';
import type { Duration, ProviderName } from '../../lambda/contract/generate.ts';
import { createGeneration, type GenerationInputs } from '../../lambda/generation/api/start.ts';
import { runAttempt } from '../../lambda/generation/attempt/attempt.ts';
import type { Stage } from '../../lambda/generation/attempt/finish-round.ts';
import { settleAttempt } from '../../lambda/generation/attempt/settle.ts';
import { type Generation, isOver } from '../../lambda/generation/generation.ts';
import { instructionsFor } from '../../lambda/generation/instructions.ts';
import {
  type AttemptRequest,
  FREE,
  type Provider,
  type ProviderEvent,
  ProviderFailure,
} from '../../lambda/generation/providers/provider.ts';
import { baseOf, withChanges } from '../../lambda/stored/projects/project-contents.ts';
import { NO_LOOKS, type Stores, startContext, UNLIMITED } from './generation.ts';

/** How an answer ends after a number of characters. */
export interface Ending {
  readonly at: number;
  readonly how: 'reset' | 'length' | 'end of stream' | 'stall' | 'overloaded' | 'failed';
}

/** Returns how the answer to a call ends; undefined if it is whole. */
export type Endings = (call: {
  readonly number: number;
  readonly request: AttemptRequest;
}) => Ending | undefined;

export interface Writing {
  readonly answer: (message: string) => string;
  readonly endings?: Endings;
  readonly parallel?: number;
  /** Whether the model accepts images. */
  readonly images?: boolean;
  readonly duration?: Duration;
  readonly providers?: readonly ProviderName[];
  readonly given?: GenerationInputs;
  /** Called with each request, before its answer. */
  readonly onCall?: (name: ProviderName, request: AttemptRequest) => void;
  /** Milliseconds between two pieces of an answer. */
  readonly pauseMs?: number;
  readonly ports?: Partial<Stage>;
}

const PIECE = 1_500;
const DEADLINES = { totalMs: 20_000, firstMs: 2_000, stallMs: 400 };

/** Returns the provider of a generation: a model that gets the real instructions as text. */
function provider(name: ProviderName, writing: Writing, count: () => number): Provider {
  const { answer, endings, onCall, parallel = 1, images = false, pauseMs = 0 } = writing;
  return {
    model: 'm',
    parallel,
    images,
    quiet: false,
    ...FREE,
    async *write(request, signal): AsyncGenerator<ProviderEvent> {
      onCall?.(name, request);
      const { system, shared, prompt } = instructionsFor(request, { context: 100_000, output: 32_000 });
      const text = answer(`${system}\n\n${shared}\n\n${prompt}`);
      const ending = endings?.({ number: count(), request });
      const end = Math.min(ending?.at ?? text.length, text.length);
      for (let at = 0; at < end; at += PIECE) {
        yield { type: 'text', text: text.slice(at, Math.min(end, at + PIECE)) };
        await sleep(pauseMs, undefined, { signal });
      }
      if (ending === undefined) yield { type: 'end', reason: 'complete' };
      else if (ending.how === 'length') yield { type: 'end', reason: 'length' };
      else if (ending.how === 'stall') await sleep(60_000, undefined, { signal });
      else if (ending.how === 'overloaded')
        throw new ProviderFailure('overloaded', '429', { retryAfterSeconds: 1 });
      else if (ending.how !== 'end of stream') throw new ProviderFailure('failed', ending.how);
    },
  };
}

/** Starts a generation, whose attempts are then made with `invoke` and `settle`, as the state machine does. */
export async function startWriting(stores: Stores, writing: Writing) {
  const { duration = 'auto', providers = ['provider-a'], given } = writing;
  const { generations, usage, providerStore, files, builder } = stores;
  let calls = 0;
  let invocations = 0;
  const ports: Stage = {
    generations,
    usage,
    providerStore,
    files,
    builder,
    ...NO_LOOKS,
    ...UNLIMITED,
    clock: Date.now,
    deadlines: DEADLINES,
    provider: (name) => provider(name, writing, () => ++calls),
    ...writing.ports,
  };
  const started = startContext(stores, providers);
  const request = { prompt: 'a finance dashboard', model: providers[0] ?? 'auto', duration } as const;
  const { id } = await createGeneration(request, { caller: { id: 'address:1' } }, started, given);
  const state = (attempt: number) => ({ id, attempt, status: 'running' }) as const;
  return {
    id,
    started,
    now: () => generations.get(id),
    invoke: (attempt: number) => runAttempt(state(attempt), `${id}-${++invocations}`, ports),
    settle: (attempt: number, outcome: 'failed' | 'timed_out' = 'failed') =>
      settleAttempt(
        { ...state(attempt), outcome },
        { ...ports, files: async () => files, roundMs: ports.deadlines.totalMs },
      ),
  };
}

/** Runs a generation to its end, or to its deploy. @returns it with the files of its project by path */
export async function writeProject(stores: Stores, writing: Writing) {
  const { now, invoke, settle } = await startWriting(stores, writing);
  let generation = await now();
  for (let rounds = 0; !isOver(generation) && generation.status !== 'deploying'; rounds++) {
    if (rounds === 40) throw new Error('The generation does not end');
    const { attempt } = generation;
    await invoke(attempt).catch(() => settle(attempt));
    generation = await now();
  }
  return { generation, files: await projectOf(generation, stores) };
}

export async function projectOf(
  generation: Generation,
  { files }: Pick<Stores, 'files'>,
): Promise<ReadonlyMap<string, string | Uint8Array>> {
  return withChanges(await baseOf(generation, files), generation, files);
}
