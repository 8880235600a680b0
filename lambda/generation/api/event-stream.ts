import { setTimeout } from 'node:timers/promises';
import { ApiError } from '../../contract/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { log } from '../../platform/log.ts';
import { isUnreachable } from '../../platform/unreachable.ts';
import type { FileContents } from '../../stored/projects/project-file-store.ts';
import { asOf } from '../completeness.ts';
import { type Attempt, type Generation, type GenerationEvent, isOver } from '../generation.ts';
import { costFields, filesInProgress } from '../generation-log.ts';
import type { GenerationStore } from '../generation-store.ts';
import { generatedFile, generateResponse, publicAttempt, publicLook } from './resource.ts';

/** Where the events come from. */
interface EventSources {
  readonly generations: GenerationStore;
  readonly files: FileContents;
  readonly clock: Clock;
}

/** The pauses between polls grow, so that the events of a short generation come as soon as its response would. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 250;
const GROWTH = 1.2;
/** Proxies drop connections that stay silent for long. */
const KEEP_ALIVE_MS = 15_000;

/**
 * A comment after each event, as a chunk of its own: on the way through Lambda, a small chunk may be held until the
 * next one.
 * https://github.com/H4ad/serverless-adapter/issues/166
 */
const PUSH = ':\n\n';

/**
 * Yields a generation as server-sent events (WHATWG HTML, 9.2): `queued`, `attempt`, `plan`, `file`, `deleted`, `look`,
 * and at the end `done` with the contract's response and the cost, or `error` with status and body. An event's id is
 * its place in the log, so that a client can resume after the last event it received. `writing` has the files that are
 * being written; it is not in the log, so it has the id of the event before it.
 * @param after id of the last event that the client has; 0 for all
 * @param deadline Unix milliseconds at which the stream ends; clients reconnect by themselves
 */
export async function* eventStream(id: string, after: number, deadline: number, sources: EventSources) {
  yield 'retry: 1000\n\n';
  let last = after;
  let sentAt = sources.clock();
  let pause = FIRST_PAUSE_MS;
  let writing = '[]';
  while (sources.clock() < deadline) {
    const batch = await nextEvents(id, last, sources);
    const texts = [...batch.texts];
    if (batch.writing !== undefined && batch.writing !== writing && !batch.over) {
      writing = batch.writing;
      texts.push(render(batch.last, 'writing', { files: JSON.parse(writing) }));
    }
    for (const text of texts) {
      yield text;
      yield PUSH;
    }
    if (batch.over) return;
    last = batch.last;
    if (texts.length > 0) sentAt = sources.clock();
    if (sources.clock() - sentAt >= KEEP_ALIVE_MS) {
      yield ': keep-alive\n\n';
      sentAt = sources.clock();
    }
    await setTimeout(pause);
    pause = Math.min(pause * GROWTH, LONGEST_PAUSE_MS);
  }
}

interface Batch {
  readonly texts: readonly string[];
  /** The files that are being written, as JSON; undefined if they are not known. */
  readonly writing?: string;
  readonly last: number;
  readonly over: boolean;
}

/**
 * Returns the events after `last`; none when AWS cannot be reached, so that the next poll retries. Any other error
 * becomes an event, because an exception would only cut the stream.
 */
async function nextEvents(id: string, last: number, sources: EventSources): Promise<Batch> {
  try {
    const generation = asOf(await sources.generations.get(id), sources.clock());
    const news = generation.log.slice(last);
    const texts = await Promise.all(
      news.map(async (event, i) => render(last + i + 1, event.type, await data(id, event, sources))),
    );
    const over = isOver(generation);
    const end = over ? [await lastEvent(generation, sources)] : [];
    const writing = JSON.stringify(filesInProgress(generation));
    return { texts: [...texts, ...end], last: generation.log.length, writing, over };
  } catch (error) {
    if (isUnreachable(error)) return { texts: [], last, over: false };
    log.error('event stream failed', { generation: id, error });
    const body = {
      error: `The service failed internally. Details: GET /api/v1/generations/${id}`,
    };
    return { texts: [render(last, 'error', { status: 500, body })], last, over: true };
  }
}

/** The data of an event; a file comes with its content. */
async function data(id: string, event: GenerationEvent, { files }: EventSources): Promise<unknown> {
  const { type: _, ...rest } = event;
  if (event.type === 'deleted') return { path: event.path };
  if (event.type === 'attempt') return publicAttempt(rest as Attempt);
  if (event.type === 'plan') return { files: event.files };
  if (event.type === 'look') return { attempt: event.attempt, ...publicLook(id, event) };
  if (event.type !== 'file') return rest;
  const { path, bytes } = event;
  return { ...generatedFile(path, await files.content(event)), bytes };
}

async function lastEvent(generation: Generation, { files, clock }: EventSources): Promise<string> {
  const id = endId(generation);
  try {
    const response = await generateResponse(generation, files, clock());
    return render(id, 'done', { ...response, ...costFields(generation) });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return render(id, 'error', { status: error.status, body: { error: error.message, ...error.body } });
  }
}

/** The id of the last event of a generation that is over. */
export function endId({ log }: Pick<Generation, 'log'>): number {
  return log.length + 1;
}

/** JSON contains no line breaks, so one `data` line is enough. */
function render(id: number, event: string, content: unknown): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(content)}\n\n`;
}
