import { Agent as HttpAgent, type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { checkResponse } from '../cloud/check-responses.ts';

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Sends the body without Content-Length. */
  readonly chunked?: boolean;
  /** Sends the body only if there is no response to the headers after this many milliseconds. */
  readonly bodyAfterMs?: number;
  /** How long the complete response may take; 120 by default. */
  readonly seconds?: number;
}

export interface SmokeResponse {
  /** For messages, such as `GET /docs`. */
  readonly request: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** Milliseconds from the request to the first byte of the body, or to the end if there is none. */
  readonly firstByteMs: number;
  /** Milliseconds from the request to the end of the body. */
  readonly ms: number;
  /** Milliseconds from the request to each part of the body. */
  readonly arrivals: readonly number[];
  /** Returns the parsed body. @throws Error if it is not JSON */
  json<Body>(): Body;
}

/**
 * A client that neither follows redirects nor decodes bodies, and keeps its connections. Each response of the API is compared
 * with its published description.
 */
export class Http implements Disposable {
  /** The requests sent so far. */
  requests = 0;
  readonly #agents = {
    'http:': new HttpAgent({ keepAlive: true }),
    'https:': new HttpsAgent({ keepAlive: true }),
  };

  readonly #newAddress: (() => string) | undefined;

  /** @param newAddress returns the local address of the next request; by default, the system chooses it */
  constructor(newAddress?: () => string) {
    this.#newAddress = newAddress;
  }

  /** @throws Error that names the request, if there is no complete response */
  send(url: URL, sent: Sent = {}): Promise<SmokeResponse> {
    this.requests++;
    const { method = 'GET', headers = {}, body, chunked = false, seconds = 120 } = sent;
    const name = `${method} ${url.pathname}`;
    const length = body === undefined || chunked ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const secure = url.protocol === 'https:';
    const signal = AbortSignal.timeout(seconds * 1_000);
    return new Promise((resolve, reject) => {
      const begin = performance.now();
      const outgoing = (secure ? requestHttps : requestHttp)(url, {
        method,
        agent: this.#newAddress ? false : this.#agents[secure ? 'https:' : 'http:'],
        ...(this.#newAddress ? { hostname: '127.0.0.1', localAddress: this.#newAddress() } : {}),
        // Node does not resolve the names under localhost (RFC 6761, 6.3), which local deployments have.
        ...(!this.#newAddress && url.hostname.endsWith('.localhost') ? { hostname: 'localhost' } : {}),
        headers: { host: url.host, 'user-agent': 'prompt-to-project-smoke', ...length, ...headers },
        signal,
      });
      let timer: NodeJS.Timeout | undefined;
      let responded = false;
      const fail = (error: Error & { code?: string }) => {
        clearTimeout(timer);
        // The server closed an idle connection at the moment of its reuse.
        const stale = outgoing.reusedSocket && !responded && error.code === 'ECONNRESET';
        if (signal.aborted) reject(new Error(`${name}: no complete response within ${seconds} s`));
        else if (stale) resolve(this.send(url, sent));
        else if (error.code === 'ENOTFOUND')
          reject(new Error(`${name}: ${url.hostname} is unknown: check its DNS record`));
        else reject(new Error(`${name}: ${error.code ?? ''} ${error.message}`));
      };
      outgoing.on('error', fail);
      outgoing.once('response', (incoming) => {
        responded = true;
        clearTimeout(timer);
        const chunks: Buffer[] = [];
        const arrivals: number[] = [];
        incoming.on('data', (chunk: Buffer) => {
          arrivals.push(performance.now() - begin);
          chunks.push(chunk);
        });
        incoming.on('error', fail);
        incoming.once('end', () => {
          if (!outgoing.writableEnded) outgoing.destroy();
          const ms = performance.now() - begin;
          const { statusCode: status = 0, headers } = incoming;
          const bytes = Buffer.concat(chunks);
          const firstByteMs = arrivals[0] ?? ms;
          const isJson = headers['content-type'] === 'application/json' && !headers['content-encoding'];
          const header = (field: string) => headers[field]?.toString();
          checkResponse({ method, url, status, header, ...(isJson ? { body: bytes.toString() } : {}) });
          resolve(toResponse({ request: name, status, headers, bytes, firstByteMs, ms, arrivals }));
        });
      });
      if (chunked) outgoing.write(body);
      if (sent.bodyAfterMs === undefined) return void outgoing.end(chunked ? undefined : body);
      outgoing.flushHeaders();
      timer = setTimeout(() => outgoing.end(body), sent.bodyAfterMs);
    });
  }

  [Symbol.dispose](): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

function toResponse(received: Omit<SmokeResponse, 'text' | 'json'>): SmokeResponse {
  const text = received.bytes.toString();
  return {
    ...received,
    text,
    json<Body>() {
      try {
        return JSON.parse(text) as Body;
      } catch {
        throw new Error(`${received.request} returned ${received.status} without a JSON body: ${short(text)}`);
      }
    },
  };
}

/** Returns the beginning of a body in one line. */
export function short(text: string): string {
  return text === '' ? '(no body)' : text.slice(0, 200).replace(/\s+/g, ' ');
}
