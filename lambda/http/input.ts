import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type * as z from 'zod';
import type { Caller } from '../access/callers.ts';
import { ApiError } from '../contract/errors.ts';
import { LIMITS } from '../contract/limits.ts';
import type { Period } from '../contract/queries.ts';
import type { Delivery } from '../contract/responses/webhooks.ts';
import type { webhook } from '../contract/webhooks.ts';
import { DAY_MS, dayOf } from '../platform/clock.ts';
import { webhookPortProblem, webhookUrlProblem } from '../platform/webhook-url.ts';
import type { ApiRequest } from './request.ts';

const unpack = promisify(gunzip);
/** RFC 1952, 2.3.1. */
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
/** The most bytes that the form of a page may send. */
const FORM_BYTES = 65_536;

/**
 * Parses the body as JSON and validates it against a schema.
 * @param maxBytes the limit of the decompressed body
 * @throws ApiError invalid_request, unsupported_media_type or payload_too_large, with the body to send
 */
export async function jsonBody<T extends z.ZodType>(
  request: Pick<ApiRequest, 'headers' | 'rawBody'>,
  schema: T,
  maxBytes: number = LIMITS.decodedBodyBytes,
): Promise<z.output<T>> {
  const bytes = request.rawBody();
  if (bytes.length === 0) throw new ApiError('invalid_request', 'The request has no body: send a JSON object');
  requireJson(request);
  const value = parse(await decode(bytes, request.headers['content-encoding'], maxBytes));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('invalid_request', 'The body must be a JSON object');
  }
  const result = schema.safeParse(value);
  if (!result.success) throw new ApiError('invalid_request', issueMessage(result.error.issues[0]));
  return result.data;
}

/** Reports if bytes begin as gzip does; no JSON does. */
export function isGzip(bytes: Buffer): boolean {
  return bytes.subarray(0, 2).equals(GZIP_MAGIC);
}

function requireJson(request: Pick<ApiRequest, 'headers'>): void {
  const mediaType = mediaTypeOf(request);
  if (mediaType === 'application/json' || mediaType?.endsWith('+json')) return;
  throw new ApiError(
    'unsupported_media_type',
    `The body must be sent with Content-Type: application/json${mediaType ? `, not ${mediaType}` : ''}`,
  );
}

/**
 * Detects gzip by its magic number, which no JSON begins with: on the way through API Gateway and S3, the header can
 * get lost, and a proxy can decompress the body without changing the header.
 */
async function decode(bytes: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  const coding = encoding?.trim().toLowerCase() || 'identity';
  if (coding !== 'identity' && coding !== 'gzip')
    throw new ApiError(
      'unsupported_media_type',
      `Content-Encoding ${encoding} is not supported: send the body uncompressed or as gzip`,
      { headers: { 'Accept-Encoding': 'gzip' } },
    );
  if (!isGzip(bytes)) {
    if (coding === 'gzip' && !isJsonStart(bytes))
      throw new ApiError('invalid_request', 'The body is not gzip, but its Content-Encoding is');
    return bytes;
  }
  const unpacked = await unpack(bytes, { maxOutputLength: maxBytes }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_BUFFER_TOO_LARGE')
      throw new ApiError('payload_too_large', `The decompressed body is larger than ${maxBytes / 1_048_576} MB`);
    throw new ApiError('invalid_request', 'The body is not valid gzip');
  });
  // A deploy was counted by this number (RFC 1952, 2.3.1), which is that of the last member only.
  if (bytes.readUInt32LE(bytes.length - 4) !== unpacked.length)
    throw new ApiError('invalid_request', 'The gzip body has more than one member: compress it in one piece');
  return unpacked;
}

/** Allows for leading white space and a byte order mark. */
const isJsonStart = (bytes: Buffer) => /^\s*[{[]/.test(bytes.subarray(0, 1_000).toString());

function parse(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError('invalid_request', 'The body is not valid UTF-8');
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    // V8's message quotes the input: pass on the position only.
    const position = /at position \d+(?: \(line \d+ column \d+\))?/.exec((error as Error).message)?.[0];
    throw new ApiError('invalid_request', `The body is not valid JSON${position ? ` ${position}` : ''}`);
  }
}

/** Returns the message of an issue, with the index if it is about an element of a list. */
function issueMessage(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'The body is invalid';
  const [list, index] = issue.path;
  return typeof index === 'number' ? `${String(list)}[${index}]: ${issue.message}` : issue.message;
}

/** Reports if a body is that of an HTML form. */
export function isForm(request: Pick<ApiRequest, 'headers'>): boolean {
  return mediaTypeOf(request) === 'application/x-www-form-urlencoded';
}

function mediaTypeOf({ headers }: Pick<ApiRequest, 'headers'>): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
}

/**
 * Parses the body of a form and validates it against a schema. Empty fields are those that a person left out.
 * @throws ApiError invalid_request, payload_too_large
 */
export function formBody<T extends z.ZodType>(request: Pick<ApiRequest, 'rawBody'>, schema: T): z.output<T> {
  const bytes = request.rawBody();
  if (bytes.length > FORM_BYTES)
    throw new ApiError('payload_too_large', `The form has ${bytes.length} bytes: at most ${FORM_BYTES} are accepted`);
  const fields = [...new URLSearchParams(bytes.toString())].filter(([, value]) => value !== '');
  const result = schema.safeParse(Object.fromEntries(fields));
  if (!result.success) throw new ApiError('invalid_request', result.error.issues[0]?.message ?? 'The form is invalid');
  return result.data;
}

/**
 * Validates the query against a schema and ignores unknown parameters.
 * @throws ApiError invalid_request for the first invalid parameter
 */
export function checkedQuery<T extends z.ZodType>({ query }: Pick<ApiRequest, 'query'>, schema: T): z.output<T> {
  const { success, data, error } = schema.safeParse(query);
  if (!success) throw new ApiError('invalid_request', error.issues[0]?.message ?? 'The query is invalid');
  return data;
}

/**
 * Returns the `Idempotency-Key` of a request (draft-ietf-httpapi-idempotency-key-header).
 * @throws ApiError invalid_request for an invalid key
 */
export function idempotencyKey({ headers }: Pick<ApiRequest, 'headers'>): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new ApiError('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters without spaces');
}

/**
 * Returns the entity tags of `If-Match` (RFC 9110, 13.1.1) without quotes. Weak tags keep theirs, and match nothing.
 * @throws ApiError invalid_request for a list of more than ten
 */
export function ifMatch({ headers }: Pick<ApiRequest, 'headers'>): readonly string[] | '*' | undefined {
  const value = headers['if-match']?.trim();
  if (value === undefined || value === '*') return value;
  const tags = value.split(',').map((tag) => tag.trim().replace(/^"(.*)"$/, '$1'));
  if (tags.length > 10) throw new ApiError('invalid_request', 'If-Match lists more than ten versions');
  return tags;
}

/**
 * Returns the period of a query, which by default ends today.
 * @param days how many it has by default, and at most
 * @throws ApiError invalid_request if `from` is after `to`, or they are too far apart
 */
export function periodOf(
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: number,
  { standard, most }: { readonly standard: number; readonly most: number },
): Period {
  const { to = dayOf(now), from = dayOf(Date.parse(to) - (standard - 1) * DAY_MS) } = query;
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) throw new ApiError('invalid_request', `from (${from}) must not be after to (${to})`);
  if (days > most)
    throw new ApiError(
      'invalid_request',
      `${from} to ${to} is ${days.toLocaleString('en')} days: request at most ${most}`,
    );
  return { from, to };
}

/** Where to deliver a notification, and whose secret signs it. */
export type Receiver = Pick<Delivery, 'url' | 'owner'>;

/**
 * Returns the receiver that a request asks to notify, if it does.
 * @throws ApiError invalid_request without an API key, and for a URL that the stage does not allow
 */
export function acceptWebhook(
  sent: z.output<typeof webhook> | undefined,
  caller: Caller | undefined,
  allowPrivate: boolean,
): Receiver | undefined {
  if (sent === undefined) return undefined;
  if (caller?.credential?.kind !== 'key')
    throw new ApiError(
      'invalid_request',
      'webhook needs an API key, whose secret signs the notification: send one, or leave webhook out',
    );
  requireAllowed('webhook.url', sent.url, allowPrivate);
  return { url: sent.url, owner: caller.id };
}

/** @throws ApiError invalid_request for a URL that the stage does not allow */
export function requireAllowed(field: string, sent: string, allowPrivate: boolean): void {
  const url = new URL(sent);
  const problem = webhookUrlProblem(url, allowPrivate) ?? webhookPortProblem(url, allowPrivate);
  if (problem) throw new ApiError('invalid_request', `${field} ${problem}`);
}
