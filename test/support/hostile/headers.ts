import fc from 'fast-check';
import type { Header } from './bodies.ts';
import { HOSTILE_TEXTS } from './values.ts';

/** What requests refer to: credentials and resources that exist, of the sender and of others. */
export interface World {
  /** Ids by what a path names: `generations`, `deployments`, `user-assets`, `staged`. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
  readonly keys: readonly string[];
  readonly tokens: readonly string[];
  /** Credentials that are not valid. */
  readonly badCredentials: readonly string[];
  readonly deploymentTokens: readonly string[];
}

/** Header values for names of the contract, and values that break parsers. */
const HEADER_VALUES: Readonly<Record<string, readonly string[]>> = {
  Accept: ['text/event-stream', 'application/json', '*/*;q=0', 'text/html', ',;,', 'a/b;q=x'],
  'Accept-Encoding': ['gzip', 'br;q=1, gzip;q=0', 'identity;q=0', '*;q=0', 'x'],
  Prefer: ['respond-async', 'wait=0', 'wait=1', 'respond-async, wait=1', 'wait=-1', 'wait=9e9', 'wait=x;;,'],
  'If-Match': ['*', '"1"', 'W/"1"', '"', 'a, b, c', '""'],
  'If-None-Match': ['*', '"1"'],
  'Last-Event-ID': ['0', '1', '-1', '1.5', '9007199254740993', 'x', ''],
  'Idempotency-Key': ['a', 'a'.repeat(255), 'a'.repeat(256), '\x80', '', ' ', '__proto__'],
  'X-Deployment-Token': ['ptd_', `ptd_${'A'.repeat(43)}`, 'x', ''],
  Cookie: ['a=b', 'session=__proto__; ='.repeat(50)],
  Range: ['bytes=0-0', 'bytes=5-1', 'bytes=0-,0-,0-'],
  Origin: ['https://evil.example', 'null'],
  'X-Forwarded-For': ['127.0.0.1', '::1, x', 'unknown'],
  'X-Forwarded-Host': ['evil.example'],
  'X-HTTP-Method-Override': ['DELETE'],
  'CloudFront-Viewer-Address': ['192.0.2.1:1', '[::1]:x'],
  'X-Amzn-Trace-Id': ['Root=1-0-0', 'x'],
  'Transfer-Encoding-': ['chunked'],
  ['__proto__']: ['x'],
  constructor: ['x'],
  Date: ['now'],
  'X-Big': ['x'.repeat(7_000)],
};

const headerName = fc.constantFrom(...Object.keys(HEADER_VALUES));
const header: fc.Arbitrary<Header> = headerName.chain((name) =>
  fc
    .oneof(
      { weight: 6, arbitrary: fc.constantFrom(...(HEADER_VALUES[name] ?? [''])) },
      { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_TEXTS.map(asHeader)) },
    )
    .map((value) => [name, value]),
);

/** Returns a text as a header can have it: HTTP has bytes without controls there. */
const asHeader = (text: string) =>
  text
    .slice(0, 2_000)
    .replaceAll(/[^\x20-\x7e\x80-\xff]/g, '?')
    .trim();

/** Generates headers besides those of the body and the credentials. */
export const hostileHeaders: fc.Arbitrary<Header[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Header[]>([]) },
  { weight: 2, arbitrary: fc.array(header, { maxLength: 4 }) },
);

/**
 * Generates what a request says about its sender.
 * @param isRequired whether the operation requires a credential: then few requests have none
 */
export function credentials(world: World, isRequired: boolean): fc.Arbitrary<Header[]> {
  const { keys, tokens, badCredentials, deploymentTokens } = world;
  const bearer = (value: string): Header => ['Authorization', `Bearer ${value}`];
  const apiKey = (value: string): Header => ['X-API-Key', value];
  const good = fc.constantFrom(...keys, ...tokens);
  const bad = fc.constantFrom(...badCredentials);
  const malformed = ['Bearer', 'Bearer  x', 'Basic dTpw', 'bearer', 'Digest a=b', '\xff', 'x'.repeat(4_000)];
  const ways: readonly (readonly [weight: number, way: fc.Arbitrary<Header[]>])[] = [
    [isRequired ? 1 : 10, fc.constant([])],
    [isRequired ? 20 : 8, good.map((value) => [bearer(value)])],
    [4, fc.constantFrom(...keys).map((value) => [apiKey(value)])],
    [isRequired ? 1 : 6, fc.constantFrom(...deploymentTokens).map((value) => [['X-Deployment-Token', value]])],
    [1, bad.map((value) => [bearer(value)])],
    [1, bad.map((value) => [apiKey(value)])],
    [1, fc.tuple(good, good).map(([one, other]) => [bearer(one), apiKey(other)])],
    [1, fc.tuple(good, bad).map(([one, other]) => [bearer(one), bearer(other)])],
    [1, fc.constantFrom(...malformed).map((value) => [['Authorization', value]])],
  ];
  return fc.oneof(...ways.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}
