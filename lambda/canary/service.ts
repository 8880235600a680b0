import { OWN_CALL_HEADER } from '../sites/edge.ts';

/** A response with its complete body. */
export interface Received {
  /** Describes the request in messages, such as `GET /api/v1/providers`. */
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const SECONDS = 20;

/** Sends requests to the public URL of the service, as its users do. */
export class Service {
  readonly #baseUrl: string;
  readonly #userAgent: string;

  /** @param userAgent identifies the canary to the service */
  constructor(baseUrl: string, userAgent: string) {
    this.#baseUrl = baseUrl;
    this.#userAgent = userAgent;
  }

  /**
   * Calls the API, and follows redirects.
   * @param seconds the timeout of the complete response
   * @throws Error if there is no complete response
   */
  api(
    key: string,
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    seconds = SECONDS,
  ): Promise<Received> {
    const json = body && { body: JSON.stringify(body) };
    const headers = { authorization: `Bearer ${key}`, ...(json && { 'content-type': 'application/json' }) };
    return this.#send(new URL(path, this.#baseUrl), { method, ...json, headers }, seconds);
  }

  /** Loads a file of a deployed page. The key is never sent there. */
  visit(url: URL): Promise<Received> {
    // Not counted as a view of the page.
    const headers = { [OWN_CALL_HEADER]: 'none' };
    return this.#send(url, { method: 'GET', headers, redirect: 'manual' }, SECONDS);
  }

  async #send(url: URL, init: RequestInit & { method: string }, seconds: number): Promise<Received> {
    const headers = { ...(init.headers as Record<string, string>), 'user-agent': this.#userAgent };
    const signal = AbortSignal.timeout(seconds * 1_000);
    const response = await fetch(url, { ...init, headers, signal });
    const text = await response.text();
    const request = `${init.method} ${url.pathname}`;
    return { request, status: response.status, headers: response.headers, text };
  }
}
