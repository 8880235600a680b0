import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type * as z from 'zod';
import { ApiError } from '../contract/errors.ts';
import { LIMITS } from '../contract/limits.ts';
import type { ApiRequest } from './request.ts';

const unpack = promisify(gunzip);
/** RFC 1952, 2.3.1. */
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/**
 * Reads the body as JSON and checks it against a schema.
 * @throws ApiError invalid_request, unsupported_media_type or payload_too_large, each saying what to send.
 */
export async function jsonBody<T extends z.ZodType>(
  request: Pick<ApiRequest, 'headers' | 'rawBody'>,
  schema: T,
): Promise<z.output<T>> {
  const bytes = request.rawBody();
  if (bytes.length === 0)
    throw new ApiError('invalid_request', 'The request has no body: send a JSON object');
  requireJson(request.headers['content-type']);
  const value = parse(await decode(bytes, request.headers['content-encoding']));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('invalid_request', 'The body must be a JSON object');
  }
  const result = schema.safeParse(value);
  if (!result.success) throw new ApiError('invalid_request', complaint(result.error.issues[0]));
  return result.data;
}

function requireJson(contentType: string | undefined): void {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType === 'application/json' || mediaType?.endsWith('+json')) return;
  throw new ApiError(
    'unsupported_media_type',
    `The body must be sent with Content-Type: application/json${mediaType ? `, not ${mediaType}` : ''}`,
  );
}

/**
 * Bytes that begin as gzip are gzip, whatever the header says: on the way through API Gateway and S3 a header may get
 * lost, or a body unpacked on somebody else's account. JSON has no such start.
 */
async function decode(bytes: Buffer, encoding: string | undefined): Promise<Buffer> {
  const coding = encoding?.trim().toLowerCase() || 'identity';
  if (coding !== 'identity' && coding !== 'gzip')
    throw new ApiError(
      'unsupported_media_type',
      `Content-Encoding ${encoding} is not supported: send the body plain or as gzip`,
      { headers: { 'Accept-Encoding': 'gzip' } },
    );
  if (!bytes.subarray(0, 2).equals(GZIP_MAGIC)) {
    if (coding === 'gzip' && !isJsonStart(bytes))
      throw new ApiError('invalid_request', 'The body is not gzip, as its Content-Encoding says');
    return bytes;
  }
  return unpack(bytes, { maxOutputLength: LIMITS.decodedBodyBytes }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_BUFFER_TOO_LARGE')
      throw new ApiError('payload_too_large', 'The body unpacks to more than 64 MB');
    throw new ApiError('invalid_request', 'The body begins as gzip, but is not valid gzip');
  });
}

/** After white space or a byte order mark. */
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
    // V8 quotes the input around the fault; its position alone is enough to find it.
    const position = /at position \d+( \(line \d+ column \d+\))?/.exec((error as Error).message)?.[0];
    throw new ApiError('invalid_request', `The body is not valid JSON${position ? ` (${position})` : ''}`);
  }
}

/** The first thing wrong, with its place when the message alone does not say which element it is about. */
function complaint(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'The body is invalid';
  const [list, index] = issue.path;
  return typeof index === 'number' ? `${String(list)}[${index}]: ${issue.message}` : issue.message;
}
