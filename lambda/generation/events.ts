import { setTimeout } from 'node:timers/promises';
import { ApiError } from '../contract/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import { isUnreachable } from '../platform/unreachable.ts';
import { asOf, isOver, type Job, type JobEvent } from './job.ts';
import type { JobStore } from './jobs.ts';
import type { FileContents } from './project-files.ts';
import { generateResponse } from './representation.ts';

export interface EventPorts {
  readonly jobs: JobStore;
  readonly files: FileContents;
  readonly clock: Clock;
}

const POLL_MS = 250;
/** Proxies drop a connection that is silent for long. */
const KEEP_ALIVE_MS = 15_000;

/**
 * A job as server-sent events (WHATWG HTML, 9.2): `queued`, `attempt`, `plan`, `file`, and in the end `done` with the
 * contract's answer or `error` with status and body. An event's id is its place in the job's log, so that whoever
 * comes back with the last one gets what followed it.
 * @param after id of the last event that the caller has; 0 for all
 * @param deadline Unix milliseconds; the stream then ends, and the client comes back by itself
 */
export async function* eventStream(id: string, after: number, deadline: number, ports: EventPorts) {
  yield 'retry: 1000\n\n';
  let last = after;
  let sentAt = ports.clock();
  while (ports.clock() < deadline) {
    const batch = await nextEvents(id, last, ports);
    for (const text of batch.texts) yield text;
    if (batch.over) return;
    last = batch.last;
    if (batch.texts.length > 0) sentAt = ports.clock();
    if (ports.clock() - sentAt >= KEEP_ALIVE_MS) {
      yield ': keep-alive\n\n';
      sentAt = ports.clock();
    }
    await setTimeout(POLL_MS);
  }
}

interface Batch {
  readonly texts: readonly string[];
  readonly last: number;
  readonly over: boolean;
}

/**
 * The events after `last`. A poll that cannot reach AWS brings none, and the next one is tried. Any other fault becomes an
 * event: thrown, it would only cut the stream.
 */
async function nextEvents(id: string, last: number, ports: EventPorts): Promise<Batch> {
  try {
    const job = asOf(await ports.jobs.existing(id), ports.clock());
    const news = job.log.slice(last);
    const texts = await Promise.all(
      news.map(async (event, i) => render(last + i + 1, event.type, await data(event, ports))),
    );
    const end = isOver(job) ? [await ending(job, ports)] : [];
    return { texts: [...texts, ...end], last: job.log.length, over: isOver(job) };
  } catch (error) {
    if (isUnreachable(error)) return { texts: [], last, over: false };
    log.error('event stream failed', { generation: id, error });
    const body = {
      error: `Something went wrong on our side. Details: GET /api/v1/generations/${id}`,
    };
    return { texts: [render(last, 'error', { status: 500, body })], last, over: true };
  }
}

/** What an event tells; a file comes with its content. */
async function data(event: JobEvent, { files }: EventPorts): Promise<unknown> {
  const { type: _, ...rest } = event;
  if (event.type !== 'file') return rest;
  const { path, language, bytes } = event;
  return { path, language, bytes, content: await files.content(event) };
}

async function ending(job: Job, { files }: EventPorts): Promise<string> {
  const id = endId(job);
  try {
    return render(id, 'done', await generateResponse(job, files));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return render(id, 'error', { status: error.status, body: { error: error.message, ...error.body } });
  }
}

/** The id of the last event of a job that is over. */
export function endId({ log }: Pick<Job, 'log'>): number {
  return log.length + 1;
}

/** JSON has no line end of its own, so one `data` line is enough. */
function render(id: number, event: string, content: unknown): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(content)}\n\n`;
}
