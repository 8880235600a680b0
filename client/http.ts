import { ApiError, errorOf, networkError } from './error.ts';

export interface ClientOptions {
  /** Address of the service, such as `https://ptp.example.com`. */
  readonly baseUrl: string | URL;
  /** API key, `ptp_…`. */
  readonly key?: string | undefined;
  /** OAuth access token, instead of a key. */
  readonly token?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Called before each retry, with the error and the delay in milliseconds. */
  readonly onRetry?: ((error: ApiError, waitMs: number) => void) | undefined;
  /** Waits before a retry. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Additional headers of every request to the service. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly userAgent?: string | undefined;
  /** After so many milliseconds without a byte, an event stream counts as lost. Default: 60,000. The service sends every 15 s. */
  readonly silenceMs?: number | undefined;
}

export interface CallOptions {
  /** Aborts the call, its retries and its waits. */
  readonly signal?: AbortSignal | undefined;
}

/** @internal */
export interface Call extends CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Under the base URL. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON; bytes are JSON already. */
  readonly body?: unknown;
}

const RETRIES = 3;
/** Retries of a lost connection to a generation that goes on: five minutes, as while a laptop sleeps. */
const PATIENT_RETRIES = 23;
const LONGEST_PAUSE_SECONDS = 15;
/** A longer `Retry-After` is not waited for: the budget of a day is spent, or the service is closed. */
const LONGEST_SECONDS = 300;

/** Sends requests to the service, and repeats those that fail for a passing reason. @internal */
export class Http {
  readonly silenceMs: number;
  readonly base: string;
  readonly #headers: Headers;
  readonly #fetch: typeof globalThis.fetch;
  readonly #sleep: NonNullable<ClientOptions['sleep']>;
  readonly #onRetry: ClientOptions['onRetry'];

  constructor(options: ClientOptions) {
    const { baseUrl, key, token, fetch, sleep = wait, silenceMs = 60_000 } = options;
    this.base = baseOf(baseUrl);
    if (key !== undefined && token !== undefined)
      throw new TypeError('Both key and token are set: the service accepts one of them');
    const credential = key ?? token;
    // `Headers` would show it in its error.
    if (credential !== undefined && !/^[\x21-\x7e]+$/.test(credential))
      throw new TypeError('The key or token is empty, or has characters that no header can have, such as a line break');
    this.#headers = new Headers(options.headers);
    if (options.userAgent !== undefined) this.#headers.set('User-Agent', options.userAgent);
    // `fetch` drops `Authorization` on the way to another origin, but no other header. A proxy may need it for itself.
    if (key !== undefined && this.#headers.has('Authorization')) this.#headers.set('X-API-Key', key);
    else if (credential) this.#headers.set('Authorization', `Bearer ${credential}`);
    // Browsers reject a call of `fetch` as a method of another object.
    this.#fetch = fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#sleep = sleep;
    this.#onRetry = options.onRetry;
    this.silenceMs = silenceMs;
  }

  /** Returns the JSON of the response to a request. @throws ApiError */
  async json<Body>(call: Call): Promise<Body> {
    return (await this.request<Body>(call)).body;
  }

  /** Returns the response to a request, with its JSON. @throws ApiError */
  request<Body>(call: Call): Promise<{ status: number; headers: Headers; body: Body }> {
    return this.retry(async () => {
      const response = await this.send(call);
      const { status, headers, url } = response;
      if (status === 204) return { status, headers, body: undefined as Body };
      if (!mediaType(response).includes('json')) throw wrongServer(response, 'JSON');
      const body = (await response.json().catch(throwNetworkError(url, call.signal))) as Body;
      return { status, headers, body };
    }, call.signal);
  }

  /** Returns the bytes of the response to a request. @param type what its media type contains @throws ApiError */
  bytes(call: Call, type: 'png' | 'zip'): Promise<Uint8Array<ArrayBuffer>> {
    return this.retry(async () => {
      const response = await this.send(call);
      if (!mediaType(response).includes(type)) throw wrongServer(response, `a ${type.toUpperCase()}`);
      return new Uint8Array(await response.arrayBuffer().catch(throwNetworkError(response.url, call.signal)));
    }, call.signal);
  }

  /** Returns the text of the response to a request, and its headers. @param type what its media type contains @throws ApiError */
  text(call: Call, type: 'csv'): Promise<{ readonly text: string; readonly headers: Headers }> {
    return this.retry(async () => {
      const response = await this.send(call);
      if (!mediaType(response).includes(type)) throw wrongServer(response, type.toUpperCase());
      // With its byte order mark, which `text()` drops.
      const bytes = await response.arrayBuffer().catch(throwNetworkError(response.url, call.signal));
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      return { text, headers: response.headers };
    }, call.signal);
  }

  /**
   * Repeats an attempt after a 429, a 5xx or a lost connection: after 1, 2 and 4 s, or after the seconds of `Retry-After`, up to
   * five minutes.
   * @param isPatient whether any number of 429s is waited for, and a connection for five minutes, with at most 15 s in between
   * @throws the last error, or the reason of the signal
   */
  async retry<T>(attempt: () => Promise<T>, signal: AbortSignal | undefined, isPatient = () => false): Promise<T> {
    for (let failed = 1; ; failed++) {
      try {
        return await attempt();
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof ApiError)) throw error;
        error.attempts = failed;
        const isPassing = error.code === 'network' || error.status === 429 || error.status >= 500;
        const isLimited = error.status === 429 && isPatient();
        const retries = error.code === 'network' && isPatient() ? PATIENT_RETRIES : RETRIES;
        const pauseSeconds = Math.min(2 ** (failed - 1), LONGEST_PAUSE_SECONDS);
        const waitSeconds = error.retryAfter ?? (isLimited ? 1 : pauseSeconds);
        if (!isPassing || (failed > retries && !isLimited) || waitSeconds > LONGEST_SECONDS) throw error;
        // The end of the window brings the next request through.
        if (isLimited) failed = 0;
        const waitMs = waitSeconds * 1000;
        this.#onRetry?.(error, waitMs);
        await this.#sleep(waitMs, signal);
        signal?.throwIfAborted();
      }
    }
  }

  /** Sends a request once, and follows redirects. @returns a success, with its body unread @throws ApiError */
  send({ method = 'GET', path, query = {}, body, signal, ...call }: Call): Promise<Response> {
    const url = new URL(this.base + path);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const headers = new Headers(this.#headers);
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    for (const [name, value] of Object.entries(call.headers ?? {})) if (value !== undefined) headers.set(name, value);
    const content = body === undefined || ArrayBuffer.isView(body) ? body : JSON.stringify(body);
    return this.fetch(url.href, { method, headers, body: content as string, signal: signal ?? null });
  }

  /** Calls `fetch` with these headers only. @throws ApiError */
  async fetch(url: string, init: RequestInit): Promise<Response> {
    const response = await this.#fetch(url, init).catch(throwNetworkError(url, init.signal));
    if (response.ok) return response;
    const text = await response.text().catch(() => '');
    throw errorOf(response.status, parseJson(text), response.headers);
  }
}

/** Returns a base URL without a slash at its end. @throws TypeError if no path can follow it */
function baseOf(baseUrl: string | URL): string {
  const base = String(baseUrl).trim().replace(/\/+$/, '');
  const expected = 'expected a URL with http:// or https://, such as https://ptp.example.com';
  // `localhost:3000` is a URL whose scheme is `localhost`.
  if (!URL.canParse(base) || !/^https?:\/\//i.test(base)) throw new TypeError(`Invalid baseUrl ${base}: ${expected}`);
  const [rest] = /[?#].*/s.exec(base) ?? [];
  if (rest !== undefined) throw new TypeError(`Invalid baseUrl ${base}: remove ${rest}`);
  const { username, password } = new URL(base);
  // `fetch` refuses them, and the error must not show them.
  if (`${username}${password}` !== '')
    throw new TypeError('Invalid baseUrl: it has a user name or password, which fetch does not send');
  return base;
}

/** @internal */
export const mediaType = ({ headers }: Response) => headers.get('Content-Type') ?? 'a body without a type';

/** Closes the connection of a response that is not read. @internal */
export const drop = ({ body }: Response) => void body?.cancel().catch(() => {});

/** Returns the handler of a failed `fetch` or read, which throws the reason of the signal or an ApiError. @internal */
export function throwNetworkError(url: string, signal: AbortSignal | null | undefined) {
  return (cause: unknown): never => {
    signal?.throwIfAborted();
    throw networkError(url, cause);
  };
}

/** Returns the error for a success that the service cannot have sent. @internal */
export function wrongServer(response: Response, expected: string): ApiError {
  drop(response);
  const message = `Expected ${expected} from ${response.url}, not ${mediaType(response)}: check baseUrl`;
  return new ApiError(message, response.status, { code: 'invalid_response' });
}

/** Returns the error for a response that lacks a header of the service. @internal */
export function lostHeader(response: Response, name: string): ApiError {
  drop(response);
  const message = `The response of ${response.url} has no ${name}: let the proxy between you and the service pass it on`;
  return new ApiError(message, response.status, { code: 'invalid_response' });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done);
  });
}
