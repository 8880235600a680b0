import { get } from 'node:http';
import { OPERATIONS, type OperationName } from '../../../lambda/contract/operations.ts';

/** Headers that examples show, in this order. */
const SHOWN_HEADERS = ['Location', 'Link', 'ETag', 'X-Deployment-Token', 'X-Generation-Id', 'X-Generation-Status'];

interface RecordedResponse {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the scenario knows the fields of its responses
  readonly body: any;
}

/** Sends requests to a service, and records those that are examples. */
export class Recorder {
  readonly #baseUrl: string;
  readonly #fetch: typeof fetch;
  readonly #variables = new Map<string, string>();
  readonly #aliases = new Map<string | number, string | number>();
  readonly #recorded = new Map<OperationName, Recording>();

  constructor(baseUrl: string, send = fetch) {
    this.#baseUrl = baseUrl;
    this.#fetch = send;
  }

  /** Sets the value of a variable in requests, such as `$KEY`. */
  define(variable: string, value: string): void {
    this.#variables.set(variable, value);
  }

  /** Replaces a recorded value in all examples. */
  alias(recorded: string | number, stable: string | number): void {
    this.#aliases.set(recorded, stable);
  }

  /** Sends a request as the example of an operation. */
  async record(name: OperationName, request: ExampleRequest): Promise<RecordedResponse> {
    const { status, headers, body } = await this.send(request);
    const shown = SHOWN_HEADERS.flatMap((header) => {
      const value = headers.get(header);
      return value === null ? [] : [[header, value] as const];
    });
    const type = headers.get('Content-Type');
    if (type !== null && !type.includes('json')) shown.unshift(['Content-Type', type]);
    const response = { status, headers: Object.fromEntries(shown), ...(body === undefined ? {} : { body }) };
    const recorded = this.#recorded.get(name);
    // Another representation of what the example has.
    if (recorded) this.#recorded.set(name, { ...recorded, table: { request, response } });
    else this.#recorded.set(name, { request, response });
    return { status, headers, body };
  }

  /** @throws Error for an error response */
  async send({ method, path, headers = {}, body, follow }: ExampleRequest): Promise<RecordedResponse> {
    const response = await this.#fetch(this.#baseUrl + path, {
      method,
      redirect: follow ? 'follow' : 'manual',
      headers: {
        ...(JSON.parse(this.#expand(JSON.stringify(headers))) as Record<string, string>),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? null : this.#expand(JSON.stringify(body)),
    });
    if (response.headers.get('Content-Type')?.startsWith('image/')) {
      await response.body?.cancel();
      return { status: response.status, headers: response.headers, body: undefined };
    }
    const text = await response.text();
    if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    const { status } = response;
    if (text === '') return { status, headers: response.headers, body: undefined };
    const isJson = response.headers.get('Content-Type')?.includes('json') ?? true;
    return { status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  /** Opens a page as a browser does. Not with `fetch`, which says that it does not navigate. */
  async visit(path: string, headers: Readonly<Record<string, string>>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    get(this.#baseUrl + path, { headers, agent: false }, (response) => {
      response.resume().on('end', resolve).on('error', reject);
    }).on('error', reject);
    await promise;
  }

  /** Returns the examples in the order of the contract, without values that differ from one recording to the next. */
  recordings(): Recordings {
    const entries = (Object.keys(OPERATIONS) as OperationName[]).map((name) => {
      const recorded = this.#recorded.get(name);
      if (!recorded) throw new Error(`No example of ${name} was recorded`);
      return [name, stableRecording(recorded, this.#aliases)] as const;
    });
    return Object.fromEntries(entries) as Recordings;
  }

  #expand(text: string): string {
    return text.replaceAll(/\$[A-Z]+/g, (variable) => this.#variables.get(variable) ?? variable);
  }
}

/** A request of an example. `$KEY`, `$PROJECT` and `$TOKEN` stand for values of the reader's own. */
export interface ExampleRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Whether the example follows redirects. */
  readonly follow?: boolean;
  /** The file that samples write the response to, or what it redirects to. */
  readonly saveAs?: string;
}

export interface ExampleResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A request and its response, as sent and received by `npm run record-examples`. */
export interface Recording {
  readonly request: ExampleRequest;
  readonly response: ExampleResponse;
  /** A request with another `Accept`, and its response, whose body is a text. */
  readonly table?: Omit<Recording, 'table'>;
}

export type Recordings = Readonly<Record<OperationName, Recording>>;

/** Marks an omission: the last element of an array, or the end of a string. */
export const ELLIPSIS = '…';

/** The time of the examples, 2026-11-21, in Unix milliseconds. */
const NOW = 1_795_276_750_000;

/** Milliseconds after `NOW`, by field. */
const TIMES: Readonly<Record<string, number>> = {
  createdAt: 0,
  created_at: 0,
  startedAt: 100,
  finishedAt: 300,
  deployedAt: 0,
  deletedAt: 60_000,
  claimedAt: 30_000,
  addedAt: 30_000,
  expiresAt: 604_800_000,
  copiesUntil: 120_000,
  backupsUntil: 60_000 + 35 * 86_400_000,
  updated_at: 1_000,
  expires_at: 900_000,
};

/** Milliseconds, by field; consistent with `TIMES`. */
const DURATIONS: Readonly<Record<string, number>> = {
  duration: 300,
  ms: 200,
  firstTokenMs: 120,
  firstFileMs: 150,
};

/** Characters of a file's content that are shown. */
const CONTENT_LENGTH = 32;

/** Values to replace, by the recorded value; strings are also replaced within longer ones. */
type Aliases = ReadonlyMap<string | number, string | number>;

/** Returns a recording with ids, tokens, times and durations replaced, and long values shortened. */
function stableRecording({ request, response, table }: Recording, aliases: Aliases): Recording {
  const { body: sent, ...sentRest } = request;
  const { body: received, ...receivedRest } = response;
  return {
    request: {
      ...(stable(sentRest, aliases) as typeof request),
      ...(sent === undefined ? {} : { body: stable(sent, aliases) }),
    },
    response: {
      ...(stable(receivedRest, aliases) as typeof response),
      ...(received === undefined ? {} : { body: stable(shorten(received), aliases) }),
    },
    ...(table && { table: stableRecording(table, aliases) }),
  };
}

function stable(value: unknown, aliases: Aliases, key = ''): unknown {
  if (typeof value === 'string') return stableText(value, aliases);
  if (typeof value === 'number') return aliases.get(value) ?? stableNumber(value, key);
  if (Array.isArray(value)) return value.map((element) => stable(element, aliases));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, stable(field, aliases, name)]);
  const object = Object.fromEntries(fields) as Record<string, unknown>;
  return typeof object.calls === 'number' ? { ...object, ms: object.calls * (DURATIONS.ms ?? 0) } : object;
}

function stableNumber(value: number, key: string): number {
  const offset = TIMES[key];
  return offset === undefined ? (DURATIONS[key] ?? value) : NOW + offset;
}

/** Also removes deployment tokens, and the path and signature of presigned URLs. */
function stableText(text: string, aliases: Aliases): string {
  let result = text
    .replace(/ptd_[\w.-]+/g, `ptd_${ELLIPSIS}`)
    .replace(/^(https?:\/\/[^/]+)\/.*\?.*X-Amz-Signature=.*$/, `$1/${ELLIPSIS}?X-Amz-Algorithm=${ELLIPSIS}`);
  for (const [recorded, alias] of aliases) result = result.replaceAll(String(recorded), String(alias));
  return result;
}

/** Keeps the first element of arrays, and the start of the contents of files. */
function shorten(value: unknown, key = ''): unknown {
  if (typeof value === 'string' && key === 'content' && value.length > CONTENT_LENGTH)
    return `${value.slice(0, CONTENT_LENGTH).trimEnd()} ${ELLIPSIS}`;
  if (Array.isArray(value))
    return [...value.slice(0, 1).map((element) => shorten(element)), ...(value.length > 1 ? [ELLIPSIS] : [])];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shorten(field, name)]));
}
