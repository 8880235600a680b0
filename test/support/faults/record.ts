import type { TestResponse } from '../cloud/client.ts';

/** The statuses of requests that succeed, by what they are for. */
export const SUCCESS = {
  deploy: [200, 201],
  'new deploy': [201],
  visit: [200],
  generate: [200],
  'generate async': [202],
  read: [200],
  asset: [201, 204],
  upload: [200],
  settings: [200],
} as const satisfies Readonly<{ [kind: string]: readonly number[] }>;

/** What a request was for. */
export type Kind = keyof typeof SUCCESS;

export const KINDS = Object.keys(SUCCESS) as Kind[];

export interface Entry {
  readonly kind: Kind;
  /** 0 if the connection broke off. */
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** When the response ended, from `performance.now()`. */
  readonly endedAt: number;
}

export function isSuccess({ kind, status }: Pick<Entry, 'kind' | 'status'>): boolean {
  const statuses: readonly number[] = SUCCESS[kind];
  return statuses.includes(status);
}

/** All responses that the traffic got, in the order of their ends. */
export class Responses {
  readonly #entries: Entry[] = [];

  /** Notes a response, and returns it; undefined if the connection broke off. */
  async note(kind: Kind, sent: Promise<TestResponse>): Promise<TestResponse | undefined> {
    const response = await sent.catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET') throw error;
      return undefined;
    });
    const { status = 0, headers } = response ?? {};
    const retryAfter = headers?.['retry-after'];
    this.#entries.push({ kind, status, retryAfter, endedAt: performance.now() });
    return response;
  }

  /** Returns the responses that ended after a time of `performance.now()`. */
  since(time: number): Entry[] {
    return this.#entries.filter(({ endedAt }) => endedAt >= time);
  }
}
