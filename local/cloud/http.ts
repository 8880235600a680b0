import { type Readable, Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** Header fields in the order and the case in which they travel; a name may repeat. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** A request between two services of the local cloud. */
export interface HttpRequest {
  readonly method: string;
  /** As it was sent: percent-encoded, without the query. */
  readonly path: string;
  /** Without the `?`. */
  readonly query: string;
  readonly headers: HeaderList;
  readonly body: Readable;
  /** Address at the other end of the connection: of the client, or of the service in between. */
  readonly peerIp: string;
  /** Aborted when the client has closed its connection. */
  readonly clientGone?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Buffer | Readable;
  /** Who made it, for the request's log line. */
  readonly servedBy: string;
}

/** The first value of a header field, compared without case. */
export function header(headers: HeaderList, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return headers.find(([field]) => field.toLowerCase() === wanted)?.[1];
}

/** The list without the named fields. */
export function withoutHeaders(headers: HeaderList, names: readonly string[]): HeaderList {
  const dropped = new Set(names.map((name) => name.toLowerCase()));
  return headers.filter(([field]) => !dropped.has(field.toLowerCase()));
}

/** The list with the given fields in place of those of the same name. */
export function withHeaders(headers: HeaderList, fields: HeaderList): HeaderList {
  return [
    ...withoutHeaders(
      headers,
      fields.map(([name]) => name),
    ),
    ...fields,
  ];
}

/** Fields that describe one connection and end there (RFC 9110, 7.6.1). */
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

/** An answer whose body is a JSON text. */
export function jsonResponse(status: number, value: unknown, servedBy: string): HttpResponse {
  return {
    status,
    headers: [['content-type', 'application/json']],
    body: Buffer.from(JSON.stringify(value)),
    servedBy,
  };
}

/** The whole body, or undefined as soon as it is known to be over `limit` bytes. */
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

/** Everything a stream holds. */
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

/** The same bytes, cut off when `source` is silent for `ms` milliseconds. `source` is drained when nobody reads on. */
export function cutWhenIdle(source: Readable, ms: number): Readable {
  const timer = setTimeout(() => {
    // A reader that is slow is no silence.
    if (out.writableNeedDrain) timer.refresh();
    else out.destroy(new Error(`silent for ${ms} ms`));
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
  // It may have failed before anybody listened.
  if (source.errored) out.destroy(source.errored);
  return source.pipe(out);
}
