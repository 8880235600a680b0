import { type SmokeResponse, short } from './http.ts';

/** The step does not apply, for the reason in the message. */
export class SkippedError extends Error {}

export function check(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new Error(problem);
}

/** @throws Error with the beginning of the body, and the id to search the logs for */
export function expectStatus(response: SmokeResponse, ...expected: readonly number[]): void {
  const { request, status, headers, text } = response;
  const id = headers['x-request-id'] ?? headers['x-amzn-requestid'] ?? headers['x-amz-cf-id'];
  const details = `${short(text)}${id ? ` (request id ${id})` : ''}`;
  check(expected.includes(status), `${request} returned ${status} instead of ${expected.join(' or ')}: ${details}`);
}

/** Checks a response header against a string or a pattern. */
export function expectHeader({ request, headers }: SmokeResponse, name: string, expected: string | RegExp): void {
  const value = String(headers[name.toLowerCase()] ?? '');
  const holds = typeof expected === 'string' ? value === expected : expected.test(value);
  const found = value === '' ? `no ${name}` : `${name}: ${value}`;
  check(holds, `${request} has ${found}, but ${expected === '' ? 'none' : expected} was expected`);
}

/** Checks that a response is an error in the format of the contract, readable by pages of every origin. */
export function expectError(response: SmokeResponse, ...expected: readonly number[]): void {
  expectStatus(response, ...expected);
  expectHeader(response, 'Content-Type', /^application\/json\b/);
  expectHeader(response, 'Access-Control-Allow-Origin', '*');
  const { error } = response.json<{ error?: unknown }>();
  check(
    typeof error === 'string' && error.length > 10,
    `${response.request} has no readable error: ${short(response.text)}`,
  );
}
