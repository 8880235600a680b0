import { type Readable, Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** Header fields in their original order and case; names may repeat. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** A request between two services of the local cloud. */
export interface HttpRequest {
  readonly method: string;
  /** Percent-encoded, as sent, without the query. */
  readonly path: string;
  /** Without the `?`. */
  readonly query: string;
  readonly headers: HeaderList;
  readonly body: Readable;
  /** Address of the peer: the client, or a service in between. */
  readonly peerIp: string;
  /** Aborted when the client has closed its connection. */
  readonly clientGone?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Buffer | Readable;
  /** The service that made it, for the request's log line. */
  readonly servedBy: string;
  /** Receives how many bytes were sent to the client, with those of the headers. */
  readonly onSent?: ((bytes: number) => void) | undefined;
}

/** Returns the first value of a header field; names are case-insensitive. */
export function header(headers: HeaderList, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return headers.find(([field]) => field.toLowerCase() === wanted)?.[1];
}

export function withoutHeaders(headers: HeaderList, names: readonly string[]): HeaderList {
  const dropped = new Set(names.map((name) => name.toLowerCase()));
  return headers.filter(([field]) => !dropped.has(field.toLowerCase()));
}

/** Returns the list with the given fields, which replace fields of the same names. */
export function withHeaders(headers: HeaderList, fields: HeaderList): HeaderList {
  return [
    ...withoutHeaders(
      headers,
      fields.map(([name]) => name),
    ),
    ...fields,
  ];
}

/** Returns the values of each name, as own properties: a client may send the name `__proto__`. */
export function valuesByName(entries: HeaderList): Record<string, string[]> {
  const groups = Map.groupBy(entries, ([name]) => name);
  return Object.fromEntries(Array.from(groups, ([name, pairs]) => [name, pairs.map(([, value]) => value)]));
}

/** Fields that apply to one connection only (RFC 9110, 7.6.1). */
export const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

export function jsonResponse(status: number, value: unknown, servedBy: string): HttpResponse {
  return {
    status,
    headers: [['content-type', 'application/json']],
    body: Buffer.from(JSON.stringify(value)),
    servedBy,
  };
}

/** Returns the body, or undefined as soon as it is known to exceed `limit` bytes. */
export async function readBody(request: HttpRequest, limit: number): Promise<Buffer | undefined> {
  if (Number(header(request.headers, 'content-length') ?? 0) > limit) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.body.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export async function collect(body: Buffer | Readable): Promise<Buffer> {
  return Buffer.isBuffer(body) ? body : Buffer.concat(await body.toArray());
}

/** Settles like `promise`, or rejects with `late()` after `ms` milliseconds. */
export async function within<T>(ms: number, promise: Promise<T>, late: () => Error): Promise<T> {
  const clock = new AbortController();
  const timeout = sleep(ms, undefined, { signal: clock.signal }).then(() => {
    throw late();
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clock.abort();
    timeout.catch(() => undefined);
  }
}

/** Returns a stream of `source` that fails when it is idle for `ms` milliseconds. Drains `source` when it is closed. */
export function cutWhenIdle(source: Readable, ms: number): Readable {
  const timer = setTimeout(() => {
    // A slow reader is not an idle source.
    if (out.writableNeedDrain) timer.refresh();
    else out.destroy(new Error(`idle for ${ms} ms`));
  }, ms).unref();
  const out = new Transform({
    transform(chunk, _encoding, done) {
      timer.refresh();
      done(null, chunk);
    },
  });
  out.once('close', () => {
    clearTimeout(timer);
    source.unpipe(out);
    source.resume();
  });
  source.once('error', (error) => out.destroy(error));
  // It may have failed before the listener was added.
  if (source.errored) out.destroy(source.errored);
  return source.pipe(out);
}

/** A single range of bytes, inclusive; `unsatisfiable` if it contains none of the representation. */
export type ByteRange = { readonly first: number; readonly last: number } | 'unsatisfiable';

/**
 * Parses a `Range` field (RFC 9110, 14.1.2). Returns undefined unless it is one valid range of bytes, since servers may
 * ignore others.
 * @param size size of the representation in bytes
 */
export function parseByteRange(field: string, size: number): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes\s*=\s*(\d*)-(\d*)$/i.exec(field.trim()) ?? [];
  if (from === '' && to === '') return undefined;
  if (from !== '' && to !== '' && Number(from) > Number(to)) return undefined;
  const first = from === '' ? Math.max(size - Number(to), 0) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return first > last ? 'unsatisfiable' : { first, last };
}
