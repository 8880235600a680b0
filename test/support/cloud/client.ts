import { type IncomingHttpHeaders, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { checkResponse } from './check-responses.ts';
import { cloud } from './cloud.ts';

export interface TestResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  /** The parsed body; reading it throws if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read the fields that they expect
  readonly json: any;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** Strings and bytes are sent unchanged, anything else as JSON with its content type. */
  readonly body?: unknown;
}

/**
 * The addresses of this process: its test files share this module, and those of two workers meet on each cloud of a run, so the
 * worker decides. Each has 15 numbers of the second byte, for a million callers.
 */
const FIRST = 10 + (Number(process.env.JEST_WORKER_ID ?? 0) % 16) * 15;

let last = 0;

/**
 * Returns a caller with an address of its own, so that tests do not share a rate limit: all of 127.0.0.0/8 is the
 * loopback interface.
 */
export function newCaller(baseUrl = cloud().baseUrl) {
  last++;
  const localAddress = `127.${FIRST + (last >> 16)}.${(last >> 8) & 255}.${last & 255}`;
  return {
    address: localAddress,
    send: (path: string, sent: Sent = {}) => send(new URL(path, baseUrl), sent, localAddress),
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      send(new URL(path, baseUrl), { method: 'POST', body, headers }, localAddress),
  };
}

function send(url: URL, { method = 'GET', headers = {}, body }: Sent, localAddress: string): Promise<TestResponse> {
  const raw = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const json = raw !== undefined && raw !== body ? { 'content-type': 'application/json' } : {};
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        hostname: '127.0.0.1',
        port: url.port,
        path: url.pathname + url.search,
        method,
        localAddress,
        agent: false,
        headers: {
          host: url.host,
          ...json,
          ...(raw === undefined ? {} : { 'content-length': String(Buffer.byteLength(raw)) }),
          ...headers,
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const status = incoming.statusCode ?? 0;
          const { 'content-encoding': coding, 'content-type': type } = incoming.headers;
          const isGzip = coding === 'gzip' && type === 'application/json';
          const text = (isGzip ? gunzipSync(bytes) : bytes).toString();
          checkResponse({
            method,
            url,
            status,
            header: (name) => incoming.headers[name]?.toString(),
            body: text,
          });
          resolve({
            status,
            headers: incoming.headers,
            bytes,
            text,
            get json() {
              return JSON.parse(text);
            },
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(raw);
  });
}
