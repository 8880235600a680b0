import { setTimeout as sleep } from 'node:timers/promises';
import type { Http, Sent, SmokeResponse } from './http.ts';

export interface Call extends Sent {
  readonly json?: unknown;
  /** Replaces the client's key; an empty string sends no credential. */
  readonly credential?: string;
}

export interface ApiOptions {
  readonly baseUrl: URL;
  readonly key?: string | undefined;
  /** Tells the operator why nothing happens. */
  readonly say: (text: string) => void;
}

interface Quota {
  readonly remaining: number;
  /** When the window ends, in Unix milliseconds. */
  readonly resetAt: number;
}

const COUNTED = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Calls the API within the rate limit. */
export class ApiClient {
  /** The requests so far that count against a rate limit. */
  counted = 0;
  /** Milliseconds spent on waiting for the rate limit. */
  waitedMs = 0;
  readonly #http: Http;
  readonly #options: ApiOptions;
  readonly #quotas = new Map<string, Quota>();

  constructor(http: Http, options: ApiOptions) {
    this.#http = http;
    this.#options = options;
  }

  /** Waits when the rate limit is used up, before the request or after a 429. */
  async send(method: string, path: string, { json, credential, ...sent }: Call = {}): Promise<SmokeResponse> {
    const bearer = credential ?? this.#options.key ?? '';
    const body = json === undefined ? sent.body : JSON.stringify(json);
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...sent.headers,
    };
    const request = { ...sent, method, headers, ...(body === undefined ? {} : { body }) };
    const counts = COUNTED.includes(method) || path.endsWith('/result');
    for (let tries = 1; ; tries++) {
      if (counts) await this.#pace(bearer);
      const response = await this.#http.send(new URL(path, this.#options.baseUrl), request);
      if (counts && response.headers['x-ratelimit-limit']) this.counted++;
      this.#quotas.set(bearer, quotaOf(response));
      if (response.status !== 429 || tries > 3) return response;
    }
  }

  async #pace(bearer: string): Promise<void> {
    const { remaining, resetAt } = this.#quotas.get(bearer) ?? { remaining: 1, resetAt: 0 };
    const waitMs = resetAt - Date.now();
    if (remaining > 0 || waitMs <= 0) return;
    const advice = this.#options.key ? '' : '; a --key raises it';
    this.#options.say(`Waiting ${Math.ceil(waitMs / 1_000)} s for the rate limit${advice}`);
    await sleep(waitMs);
    this.waitedMs += waitMs;
  }
}

function quotaOf({ status, headers }: SmokeResponse): Quota {
  const seconds = headers['retry-after'] ?? /;t=(\d+)/.exec(String(headers.ratelimit))?.[1] ?? 0;
  const remaining = status === 429 ? 0 : Number(headers['x-ratelimit-remaining'] ?? 1);
  return { remaining, resetAt: Date.now() + Number(seconds) * 1_000 };
}
