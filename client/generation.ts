import { ApiError, networkError } from './error.ts';
import { messages } from './event-stream.ts';
import { type Call, type CallOptions, type Http, mediaType, wrongServer } from './http.ts';
import type { GenerateResponse, GenerationResource } from './types.ts';

type Attempt = GenerationResource['attempts'][number];
type Plan = NonNullable<GenerationResource['plan']>;

interface EventData {
  readonly queued: { readonly at: number };
  /** An attempt that begins, or, with `outcome`, ends. */
  readonly attempt: Attempt & { readonly attempt: number; readonly matched?: string | null };
  readonly plan: { readonly files: Plan; readonly matched?: string | null };
  readonly file: GenerationResource['files'][number] & { readonly content: string };
  readonly done: GenerateResponse;
}

/** What happened in a generation. Ids count from 1. */
export type GenerationEvent = {
  [Type in keyof EventData]: { readonly id: number; readonly type: Type; readonly data: EventData[Type] };
}[keyof EventData];

/** A generated project: files, and the generation that they are from. */
export type Project = GenerateResponse & Pick<GenerationResource, 'id' | 'status' | 'matched' | 'problems'>;

/** The place in a stream of events. */
export interface Position {
  /** Id of the generation, once it is known. */
  id?: string | undefined;
  /** Id of the last event that was received; 0 for none. */
  last: number;
}

export const generationPath = (id: string) => `/api/v1/generations/${encodeURIComponent(id)}`;

/**
 * Yields the events of a generation after `position`, which it moves, and ends after `done`. A lost connection is resumed
 * after the last event, so each event is yielded once.
 * @param start creates the generation; not sent once `position` has its id
 * @throws ApiError of a generation that failed, or of the last of too many failures in a row
 */
export async function* follow(
  http: Http,
  position: Position,
  start: Call | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<GenerationEvent, void, undefined> {
  const retries = http.retries(signal);
  for (let failure: ApiError | undefined; ; ) {
    try {
      const response = await open(http, position, start, signal);
      if (!response) return;
      for await (const message of messages(response, http.silenceMs, signal)) {
        retries.reset();
        if (message === 'comment') continue;
        const event = { id: Number(message.id), type: message.type, data: JSON.parse(message.data) };
        if (event.type === 'error') {
          const error = failureOf(event.data, response);
          // Without a 500, this is how the generation ended. With it, the service only failed to read it.
          if (error.status !== 500) failure = error;
          throw error;
        }
        if (event.id <= position.last) continue;
        position.last = event.id;
        yield event as GenerationEvent;
        if (event.type === 'done') return;
      }
      throw networkError(response.url, undefined);
    } catch (error) {
      if (failure) throw failure;
      await retries.next(error);
    }
  }
}

/** Opens a stream of events; undefined if none follows, for which the service responds with JSON. */
async function open(
  http: Http,
  position: Position,
  start: Call | undefined,
  signal: AbortSignal | undefined,
): Promise<Response | undefined> {
  const { id, last } = position;
  const call = id === undefined && start ? start : { path: generationPath(id ?? '') };
  const headers = {
    ...call.headers,
    accept: 'text/event-stream',
    'last-event-id': last > 0 ? String(last) : undefined,
  };
  const response = await http.send({ ...call, headers, signal });
  position.id ??= response.headers.get('X-Generation-Id') ?? undefined;
  const type = mediaType(response);
  if (position.id !== undefined && type.includes('text/event-stream')) return response;
  if (id === undefined || !type.includes('json')) throw wrongServer(response, 'an event stream');
  response.body?.cancel().catch(() => {});
  return undefined;
}

/** Returns the error of an `error` event: the status and body that a request for the result would get. */
function failureOf(data: { status: number; body: { error: string } }, { headers }: Response): ApiError {
  const { status, body } = data;
  return new ApiError(body.error, {
    status,
    body,
    ...(status === 503 ? { code: 'providers_failed' } : {}),
    requestId: headers.get('X-Request-Id') ?? undefined,
  });
}

/**
 * A generation: await it for its project, iterate over it for its events, or both. It starts when it is first used. Whoever
 * iterates sees all events from the first one. Once nobody reads it any more, its connection is closed, but the generation
 * goes on: `generations.cancel` ends it.
 */
export class Generation implements PromiseLike<Project>, AsyncIterable<GenerationEvent> {
  readonly #http: Http;
  readonly #position: Position;
  readonly #start: Call | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #events: GenerationEvent[] = [];
  #readers = 0;
  #source: AsyncGenerator<GenerationEvent, void, undefined> | undefined;
  #next: Promise<boolean> | undefined;
  #project: Promise<Project> | undefined;

  constructor(http: Http, from: { readonly start: Call } | { readonly id: string }, { signal }: CallOptions) {
    this.#http = http;
    this.#position = { id: 'id' in from ? from.id : undefined, last: 0 };
    this.#start = 'start' in from ? from.start : undefined;
    this.#signal = signal;
  }

  /** The id of the generation, as soon as the service has created it. */
  get id(): Promise<string> {
    return this.#identify();
  }

  // biome-ignore lint/suspicious/noThenProperty: a generation can be awaited
  then<Done = Project, Failed = never>(
    onDone?: ((project: Project) => Done | PromiseLike<Done>) | null,
    onFailed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    this.#project ??= this.#finish();
    return this.#project.then(onDone, onFailed);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<GenerationEvent, void, undefined> {
    this.#readers++;
    try {
      let seen = 0;
      do {
        while (seen < this.#events.length) yield this.#events[seen++] as GenerationEvent;
      } while (await this.#receive());
    } finally {
      this.#readers--;
      if (this.#readers === 0) this.#close();
    }
  }

  /** Receives the next event, once for all readers. @returns false after the last one */
  #receive(): Promise<boolean> {
    this.#source ??= follow(this.#http, this.#position, this.#start, this.#signal);
    this.#next ??= this.#source.next().then(({ done, value }) => {
      if (done) return false;
      this.#events.push(value);
      this.#next = undefined;
      return true;
    });
    return this.#next;
  }

  /** Closes the connection; the next reader opens another one after the last event. */
  #close(): void {
    void this.#source?.return();
    if (this.#next === undefined) this.#source = undefined;
  }

  async #identify(): Promise<string> {
    if (this.#position.id === undefined) for await (const _ of this) break;
    return this.#position.id as string;
  }

  async #finish(): Promise<Project> {
    let result: GenerateResponse | undefined;
    for await (const event of this) if (event.type === 'done') result = event.data;
    const path = generationPath(this.#position.id as string);
    const { body } = await this.#http.request<GenerationResource>({ path, signal: this.#signal });
    const { id, status, matched, problems } = body;
    return {
      ...(result as GenerateResponse),
      id,
      status,
      ...(matched === undefined ? {} : { matched }),
      ...(problems === undefined ? {} : { problems }),
    };
  }
}
