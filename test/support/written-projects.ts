import { setTimeout as sleep } from 'node:timers/promises';
import type { Duration, ProviderName } from '../../lambda/contract/generate.ts';
import { createGeneration, type GenerationInputs } from '../../lambda/generation/api/start.ts';
import { runAttempt } from '../../lambda/generation/attempt/attempt.ts';
import type { Stage } from '../../lambda/generation/attempt/finish-round.ts';
import { settleAttempt } from '../../lambda/generation/attempt/settle.ts';
import { type Generation, isOver } from '../../lambda/generation/generation.ts';
import { attemptsOf } from '../../lambda/generation/generation-log.ts';
import { instructionsFor } from '../../lambda/generation/instructions.ts';
import {
  type AttemptRequest,
  FREE,
  type Provider,
  ProviderFailure,
} from '../../lambda/generation/providers/provider.ts';
import { baseOf, withChanges } from '../../lambda/stored/projects/project-contents.ts';
import { type Stores, startContext, UNLIMITED } from './generation.ts';

/** How an answer ends after a number of characters. */
export interface Ending {
  readonly at: number;
  readonly how: 'reset' | 'length' | 'end of stream' | 'stall' | 'overloaded' | 'failed';
}

/** Returns how the answer to a call ends; undefined if it is whole. */
export type Endings = (call: { readonly number: number; readonly request: AttemptRequest }) => Ending | undefined;

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
  /** The characters of a piece of an answer, and the milliseconds between two. */
  readonly piece?: number;
  readonly pauseMs?: number;
  readonly ports?: Partial<Stage>;
}

const PIECE = 1_500;
/** The time in all counts the work of the machine, so no test may reach it by being slow. */
const DEADLINES = { totalMs: 100_000, firstMs: 2_000, stallMs: 400 };

/** Returns a provider that costs nothing. */
export const freeProvider = (write: Provider['write'], more: Partial<Provider> = {}): Provider => ({
  model: 'm',
  parallel: 1,
  quiet: false,
  ...FREE,
  write,
  ...more,
});

/** Returns the provider of a generation: a model that gets the real instructions as text. */
function provider(name: ProviderName, writing: Writing, count: () => number): Provider {
  const { answer, endings, onCall, parallel = 1, images = false, piece = PIECE, pauseMs = 0 } = writing;
  const write: Provider['write'] = async function* (request, signal) {
    onCall?.(name, request);
    const { system, shared, prompt } = instructionsFor(request, { context: 100_000, output: 32_000 });
    const text = answer(`${system}\n\n${shared}\n\n${prompt}`);
    const ending = endings?.({ number: count(), request });
    const end = Math.min(ending?.at ?? text.length, text.length);
    for (let at = 0; at < end; at += piece) {
      yield { type: 'text', text: text.slice(at, Math.min(end, at + piece)) };
      await sleep(pauseMs, undefined, { signal });
    }
    if (ending === undefined) yield { type: 'end', reason: 'complete' };
    else if (ending.how === 'length') yield { type: 'end', reason: 'length' };
    else if (ending.how === 'stall') await sleep(60_000, undefined, { signal });
    else if (ending.how === 'overloaded') throw new ProviderFailure('overloaded', '429', { retryAfterSeconds: 1 });
    else if (ending.how !== 'end of stream') throw new ProviderFailure('failed', ending.how);
  };
  return freeProvider(write, { parallel, images });
}

/** Returns a stage with these stores and providers, without budgets and a browser. */
export function stageOn(stores: Stores, provider: Stage['provider'], more: Partial<Stage> = {}): Stage {
  return { ...stores, ...UNLIMITED, clock: Date.now, deadlines: DEADLINES, provider, ...more };
}

/** Returns functions that make and settle the attempts of a generation, as the state machine does. */
export function attemptsOn({ generations, files }: Stores, id: string, stage: Stage) {
  let invocations = 0;
  const now = () => generations.get(id);
  const state = (attempt: number) => ({ id, attempt, status: 'running' }) as const;
  const invoke = (attempt: number) => runAttempt(state(attempt), `${id}-${++invocations}`, stage);
  const settle = (attempt: number, outcome: 'failed' | 'timed_out' = 'failed') =>
    settleAttempt(
      { ...state(attempt), outcome },
      { ...stage, files: async () => files, roundMs: stage.deadlines.totalMs },
    );
  /** Runs the generation to its end, or to its deploy. */
  const run = async (): Promise<Generation> => {
    let generation = await now();
    for (let rounds = 0; !isOver(generation) && generation.status !== 'deploying'; rounds++) {
      if (rounds === 110) throw new Error('The generation does not end');
      const { attempt } = generation;
      await invoke(attempt).catch(() => settle(attempt));
      generation = await now();
    }
    return generation;
  };
  return { now, invoke, settle, run };
}

/** Starts a generation that is to be written in this way. */
export async function startWriting(stores: Stores, writing: Writing) {
  const { duration = 'auto', providers = ['provider-a'], given } = writing;
  let calls = 0;
  const stage = stageOn(stores, (name) => provider(name, writing, () => ++calls), writing.ports);
  const started = startContext(stores, providers);
  const request = { prompt: 'a finance dashboard', model: providers[0] ?? 'auto', duration } as const;
  const { id } = await createGeneration(request, { caller: { id: 'address:1' } }, started, given);
  return { id, started, ...attemptsOn(stores, id, stage) };
}

/** Runs a generation to its end, or to its deploy. @returns it with the files of its project by path */
export async function writeProject(stores: Stores, writing: Writing) {
  const generation = await (await startWriting(stores, writing)).run();
  return { generation, files: await projectOf(generation, stores) };
}

/**
 * Does so with a model that gives these answers, one after another, and then empty ones.
 * @returns also the requests that the model got, and each attempt as `repair succeeded dropped`
 */
export async function writeAnswers(stores: Stores, answers: readonly string[], writing: Partial<Writing> = {}) {
  const requests: AttemptRequest[] = [];
  const written = await writeProject(stores, {
    answer: () => answers[requests.length - 1] ?? '',
    ...writing,
    onCall: (name, request) => {
      requests.push(request);
      writing.onCall?.(name, request);
    },
  });
  const attempts = attemptsOf(written.generation).map(
    ({ kind, outcome, dropped }) => `${kind} ${outcome}${dropped ? ' dropped' : ''}`,
  );
  return { ...written, requests, attempts };
}

export async function projectOf(
  generation: Generation,
  { files }: Pick<Stores, 'files'>,
): Promise<ReadonlyMap<string, string | Uint8Array>> {
  return withChanges(await baseOf(generation, files), generation, files);
}
