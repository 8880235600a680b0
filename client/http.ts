import { ApiError, errorOf, isTransient, networkError } from './error.ts';

export interface ClientOptions {
  /** Address of the service, such as `https://ptp.example.com`. A path is kept. */
  readonly baseUrl: string | URL;
  /** API key, `ptp_…`. */
  readonly key?: string | undefined;
  /** OAuth access token, in place of a key. */
  readonly token?: string | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Replaces the wait before a retry. Rejects with the signal's reason once it is aborted. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Headers of every request to the service. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** `User-Agent` of every request; browsers may ignore it. */
  readonly userAgent?: string | undefined;
  /** Milliseconds without a byte after which an event stream counts as lost. Default: 60,000; the service sends one every 15 s. */
  readonly silenceMs?: number | undefined;
}

export interface CallOptions {
  /** Aborts the call, its retries and their waits. */
  readonly signal?: AbortSignal | undefined;
}

/** A request to the service. */
export interface Call extends CallOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Under the base URL. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON; bytes are JSON already. */
  readonly body?: unknown;
}

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

const RETRIES = 3;
/** Timers fire at once beyond 2^31 - 1 ms. */
const LONGEST_MS = 2 ** 31 - 1;

/** Sends requests, and repeats those that fail for a passing reason. */
export class Http {
  readonly silenceMs: number;
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string | undefined>>;
  readonly #fetch: typeof globalThis.fetch;
  readonly #sleep: NonNullable<ClientOptions['sleep']>;

  constructor(options: ClientOptions) {
    const { baseUrl, key, token, headers, userAgent, fetch, sleep = wait, silenceMs = 60_000 } = options;
    if (!URL.canParse(String(baseUrl)))
      throw new TypeError(
        `Invalid baseUrl ${String(baseUrl)}: expected a URL such as https://ptp.example.com`,
      );
    if (key !== undefined && token !== undefined)
      throw new TypeError('Both key and token are given: the service accepts one credential per request');
    this.#base = String(baseUrl).replace(/\/+$/, '');
    const credential = key ?? token;
    // On the way to another origin, fetch drops this header, but not an X-API-Key.
    const authorization = credential === undefined ? undefined : `Bearer ${credential}`;
    this.#headers = { authorization, 'user-agent': userAgent, ...headers };
    // A method of another object would make browsers reject the call.
    this.#fetch = fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#sleep = sleep;
    this.silenceMs = silenceMs;
  }

  /**
   * Sends a request, follows redirects, and retries as the service asks: after 1, 2 and 4 s, or after the seconds of
   * `Retry-After`.
   * @throws ApiError the last error; the reason of the signal if it is aborted
   */
  async request<Body>(call: Call): Promise<Answer<Body>> {
    return this.retry(async () => {
      const response = await this.send(call);
      const { status, headers } = response;
      return { status, headers, body: (await readJson(response, call.signal)) as Body };
    }, call.signal);
  }

  /** Performs an attempt until it succeeds or fails for good. */
  async retry<T>(attempt: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    for (const retries = this.retries(signal); ; ) {
      try {
        return await attempt();
      } catch (error) {
        await retries.next(error);
      }
    }
  }

  /** Counts the failures of one call. */
  retries(signal: AbortSignal | undefined): Retries {
    return new Retries((ms) => this.#sleep(ms, signal), signal);
  }

  /** Sends a request once. @returns a success, with its body unread @throws ApiError for any other response, or none */
  async send(call: Call): Promise<Response> {
    const { method = 'GET', path, query = {}, body, signal } = call;
    const url = new URL(this.#base + path);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const type = body === undefined ? undefined : 'application/json';
    const headers = { ...this.#headers, 'content-type': type, ...call.headers };
    const content = body === undefined || body instanceof Uint8Array ? body : JSON.stringify(body);
    return this.fetch(
      url.href,
      { method, headers: defined(headers), body: content as NonNullable<RequestInit['body']> },
      signal,
    );
  }

  /** Calls `fetch` without the headers of the service. @throws ApiError */
  async fetch(url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
    // Outside of the try: an invalid header is a mistake of the caller, not a lost connection.
    const headers = new Headers(init.headers);
    let response: Response;
    try {
      response = await this.#fetch(url, { ...init, headers, signal: signal ?? null });
    } catch (cause) {
      signal?.throwIfAborted();
      throw networkError(url, cause);
    }
    if (response.ok) return response;
    throw await errorOf(response);
  }
}

/** The retry policy of the contract, for one call. */
export class Retries {
  #failed = 0;
  readonly #sleep: (ms: number) => Promise<void>;
  readonly #signal: AbortSignal | undefined;

  constructor(sleep: (ms: number) => Promise<void>, signal: AbortSignal | undefined) {
    this.#sleep = sleep;
    this.#signal = signal;
  }

  /** Forgets the failures, because there was progress. */
  reset(): void {
    this.#failed = 0;
  }

  /** Waits before the next attempt. @throws the error if it is final or was the last one */
  async next(error: unknown): Promise<void> {
    this.#signal?.throwIfAborted();
    if (error instanceof ApiError) error.attempts = this.#failed + 1;
    if (!isTransient(error) || this.#failed === RETRIES) throw error;
    const seconds = error.retryAfter ?? 2 ** this.#failed;
    this.#failed++;
    await this.#sleep(Math.min(seconds * 1000, LONGEST_MS));
    this.#signal?.throwIfAborted();
  }
}

/**
 * Whether an earlier attempt of a call seems to have taken effect although its response was lost: only a repeated one got
 * this status.
 */
export function isRepeat(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.attempts > 1 && error.status === status;
}

/** Returns the JSON of a success, undefined if there is none. @throws ApiError `invalid_response`, or `network` if it was cut off */
async function readJson(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  const { status, url } = response;
  if (status === 204) return undefined;
  if (!mediaType(response).includes('json')) throw wrongServer(response, 'JSON');
  try {
    return await response.json();
  } catch (cause) {
    signal?.throwIfAborted();
    throw networkError(url, cause);
  }
}

export function mediaType({ headers }: Response): string {
  return headers.get('Content-Type') ?? '';
}

/** Returns the error for a success that this service cannot have sent, and drops its body. */
export function wrongServer(response: Response, expected: string): ApiError {
  response.body?.cancel().catch(() => {});
  const { status, url } = response;
  const got = mediaType(response) || 'a body without a type';
  return new ApiError(`Expected ${expected} from ${url}, not ${got}: check baseUrl`, {
    status,
    code: 'invalid_response',
  });
}

function defined(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(headers).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort);
  });
}
