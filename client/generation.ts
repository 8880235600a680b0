import { type ApiError, errorOf, networkError } from './error.ts';
import { type Message, messages } from './event-stream.ts';
import { packJson } from './files.ts';
import { type Call, type CallOptions, drop, type Http, lostHeader, mediaType, wrongServer } from './http.ts';
import type { GenerateResponse, GenerationResource, Look } from './types.ts';

interface EventData {
  readonly queued: { readonly at: number };
  /** An attempt that began or, with `outcome`, ended. */
  readonly attempt: { readonly attempt: number } & GenerationResource['attempts'][number] & Starter;
  /** The files that are being written, as of the last seconds. It can be missed, and is not sent again. */
  readonly writing: { readonly files: NonNullable<GenerationResource['writing']> };
  readonly plan: { readonly files: NonNullable<GenerationResource['plan']> };
  readonly file: GenerateResponse['files'][number] & GenerationResource['files'][number];
  /** A browser looks at the project as the attempt left it, or has looked. The URLs of `screenshots` are relative to the base URL. */
  readonly look: { readonly attempt: number } & Look;
  /** A change deleted a file. */
  readonly deleted: { readonly path: string };
  readonly done: GenerateResponse & Cost;
}
type Starter = Pick<GenerationResource, 'matched'>;
type Cost = Pick<GenerationResource, 'cost' | 'costUnknown'>;

/**
 * Something that happened in a generation. Ids count from 1. `writing` is not logged by the service: it has the id of the event
 * before it, so that a stream can be resumed after any event.
 */
export type GenerationEvent = {
  [Type in keyof EventData]: { readonly id: number; readonly type: Type; readonly data: EventData[Type] };
}[keyof EventData];

/** A generation, with the token of a deployment that it created without a key. */
export type RetrievedGeneration = GenerationResource & {
  /** Manages `deployment`. */
  readonly token?: string;
};

/** A generated project, and how its generation ended. */
export type Project = GenerateResponse &
  Pick<RetrievedGeneration, 'id' | 'status' | 'cost' | 'costUnknown' | 'matched' | 'problems' | 'look' | 'token'>;

/** @internal */
export const generationPath = (id: string) => `/api/v1/generations/${encodeURIComponent(id)}`;

/** Returns a generation. @internal */
export async function retrieve(http: Http, id: string, signal: AbortSignal | undefined): Promise<RetrievedGeneration> {
  const { body, headers } = await http.request<GenerationResource>({ path: generationPath(id), signal });
  const token = headers.get('X-Deployment-Token');
  return token === null ? body : { ...body, token };
}

export interface ScreenshotOptions extends CallOptions {
  /** Width of the browser in CSS pixels. Default: 1280. */
  readonly width?: 390 | 1280 | undefined;
  /** Number of the attempt, as in `look` events. Default: the last one whose files the project has. */
  readonly attempt?: number | undefined;
}

/** Returns a picture of the page. @internal */
export function screenshot(
  http: Http,
  id: string,
  { width, attempt, signal }: ScreenshotOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  return http.bytes({ path: `${generationPath(id)}/screenshot`, query: { width, attempt }, signal }, 'png');
}

/** Where to begin: with the request that creates a generation, or after an event of an existing one. @internal */
export type Start = { readonly call: Call } | { readonly id: string; readonly lastEventId?: number | undefined };

/** The service ends a stream that lasted long; one that ends earlier was lost. */
const REGULAR_MS = 60_000;

/**
 * A generation: await it for its project, iterate over it for its events, or both. It starts when it is first used, and each
 * iteration begins with the first event. A lost connection is resumed after the last event. When the loop ends, the
 * connection is closed, but the generation itself goes on: `client.generations.cancel` ends it.
 */
export class Generation implements Promise<Project>, AsyncIterable<GenerationEvent> {
  readonly [Symbol.toStringTag] = 'Generation';
  readonly #http: Http;
  readonly #call: Call | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #events: GenerationEvent[] = [];
  #id: string | undefined;
  #lastEventId = 0;
  #readers = 0;
  #connection: AsyncGenerator<Message, void, undefined> | undefined;
  #connectedAt = 0;
  #headers = new Headers();
  #failure: ApiError | undefined;
  #next: Promise<boolean> | undefined;
  #project: Promise<Project> | undefined;

  /** @internal */
  constructor(http: Http, start: Start, signal: AbortSignal | undefined) {
    this.#http = http;
    this.#signal = signal;
    if ('call' in start) this.#call = start.call;
    else [this.#id, this.#lastEventId] = [start.id, start.lastEventId ?? 0];
  }

  /** The id of the generation, once the service has created it. */
  get id(): Promise<string> {
    return this.#identify();
  }

  // biome-ignore lint/suspicious/noThenProperty: a generation can be awaited
  readonly then: Promise<Project>['then'] = (onDone, onFailed) => {
    this.#project ??= this.#finish();
    return this.#project.then(onDone, onFailed);
  };

  readonly catch: Promise<Project>['catch'] = (onFailed) => this.then(undefined, onFailed);

  readonly finally: Promise<Project>['finally'] = (onOver) => this.then().finally(onOver);

  /** @throws ApiError if the generation fails, or no connection brings anything for five minutes */
  async *[Symbol.asyncIterator](): AsyncGenerator<GenerationEvent, void, undefined> {
    let seen = 0;
    this.#readers++;
    try {
      for (let more = true; ; more = await this.#receive()) {
        while (seen < this.#events.length) yield this.#events[seen++] as GenerationEvent;
        if (!more) return;
      }
    } finally {
      this.#readers--;
      if (this.#readers === 0) this.#close();
    }
  }

  /** Receives something, once for all readers. @returns false after the last event */
  #receive(): Promise<boolean> {
    // One retry policy per message: progress ends the failures before it.
    this.#next ??= this.#http
      .retry(
        () => this.#read(),
        this.#signal,
        // The generation goes on: to give up would lose it.
        () => this.#id !== undefined,
      )
      .then((more) => {
        if (this.#failure) throw this.#failure;
        if (more) this.#next = undefined;
        return more;
      });
    return this.#next;
  }

  /** Reads one message, of a new connection if there is none. @returns false after the last event */
  async #read(): Promise<boolean> {
    let more = false;
    try {
      if (!this.#connection) {
        this.#connection = await this.#connect();
        this.#connectedAt = Date.now();
      }
      if (!this.#connection) return false;
      const { value, done } = await this.#connection.next();
      if (done && Date.now() - this.#connectedAt < REGULAR_MS) throw networkError(this.#http.base);
      if (done) this.#close();
      more = done === true || value === 'comment' || this.#take(value);
    } finally {
      if (!more) this.#close();
    }
    return more;
  }

  /** Returns the messages of a new connection; undefined if there is no event after the last one. */
  async #connect(): Promise<AsyncGenerator<Message, void, undefined> | undefined> {
    const id = this.#id;
    const call = id === undefined ? (this.#call as Call) : { path: generationPath(id) };
    const last = this.#lastEventId > 0 ? String(this.#lastEventId) : undefined;
    // A project to change can be large.
    const sent = call.body === undefined ? undefined : await packJson(call.body);
    const headers = {
      ...call.headers,
      ...sent?.headers,
      accept: 'text/event-stream',
      'last-event-id': last,
    };
    const response = await this.#http.send({ ...call, body: sent?.body, headers, signal: this.#signal });
    this.#headers = response.headers;
    this.#id ??= response.headers.get('X-Generation-Id') ?? undefined;
    const type = mediaType(response);
    if (id !== undefined && type.includes('json')) return void drop(response);
    if (!type.includes('event-stream')) throw wrongServer(response, 'events');
    if (this.#id === undefined) throw lostHeader(response, 'X-Generation-Id');
    return messages(response, this.#http.silenceMs, this.#signal);
  }

  /** Takes a message as the next event. @returns whether more follow @throws ApiError if the service could not read the generation */
  #take({ id, type, data }: Exclude<Message, 'comment'>): boolean {
    const isLogged = type !== 'writing';
    const event = { id: isLogged ? Number(id) : this.#lastEventId, type, data: JSON.parse(data) };
    if (type === 'error') {
      const { status, body } = event.data;
      const { retryAfter } = body;
      // Only the end of a budget says how long it lasts.
      const code = retryAfter === undefined ? 'providers_failed' : 'budget_spent';
      const error = errorOf(status, body, this.#headers, status === 503 ? { code, retryAfter } : {});
      // The generation goes on, although the service failed to read it.
      if (status === 500) throw error;
      this.#failure = error;
    } else if (!isLogged || event.id > this.#lastEventId) {
      this.#lastEventId = event.id;
      this.#events.push(event as GenerationEvent);
    }
    return type !== 'error' && type !== 'done';
  }

  /** Closes the connection. The next reader opens another one, which continues after the last event. */
  #close(): void {
    void this.#connection?.return();
    this.#connection = undefined;
  }

  async #identify(): Promise<string> {
    if (this.#id === undefined) for await (const _ of this) break;
    return String(this.#id);
  }

  async #finish(): Promise<Project> {
    for await (const _ of this);
    const generation = await retrieve(this.#http, await this.id, this.#signal);
    const { id, status, cost, costUnknown, matched, problems, look, token } = generation;
    const known = {
      ...(cost ? { cost } : {}),
      ...(costUnknown === undefined ? {} : { costUnknown }),
      ...(matched === undefined ? {} : { matched }),
      ...(problems ? { problems } : {}),
      ...(look ? { look } : {}),
      ...(token === undefined ? {} : { token }),
    };
    return { ...(this.#events.at(-1)?.data as GenerateResponse), id, status, ...known };
  }
}
