import type { Received } from './service.ts';

/** A step whose result differs from the expected one. */
export class Unexpected extends Error {
  override readonly name = 'Unexpected';
  readonly expected: string;
  readonly found: string;
  /** The id of the request in the logs of the API, or otherwise of the edge. */
  readonly request: string | undefined;

  constructor(expected: string, found: string, { headers }: Partial<Pick<Received, 'headers'>> = {}) {
    super(`expected ${expected}, found ${found}`);
    this.expected = expected;
    this.found = found;
    this.request = headers?.get('x-request-id') ?? headers?.get('x-amz-cf-id') ?? undefined;
  }
}

/** How much of a body a log line contains. */
const SHOWN_CHARACTERS = 300;

export const short = (text: string): string => text.slice(0, SHOWN_CHARACTERS);

/** @throws Unexpected for another status */
export function expectStatus(received: Received, ...expected: readonly number[]): void {
  if (expected.includes(received.status)) return;
  const { request, status, text } = received;
  throw new Unexpected(
    `${request} to return ${expected.join(' or ')}`,
    `${status}: ${short(text)}`,
    received,
  );
}
