import { PassThrough } from 'node:stream';
import {
  type ByteRange,
  collect,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  header,
  parseByteRange,
  withHeaders,
  withoutHeaders,
} from '../http.ts';
import { type Behavior, cacheKey } from './behavior.ts';
import { type Arrival, Cache, type Entry, mayCollapse, readTags, staleLifetime, timeToLive } from './cache.ts';
import type { CachePolicy } from './policies.ts';
import type { DistributionConfig } from './properties.ts';

/** CloudFront's default error caching minimum TTL in seconds. */
const ERROR_CACHING_MIN_TTL = 10;

/** Receives the response for waiting requests, or undefined if each must be sent to the origin. */
type Share = (entry: Entry | undefined) => void;

const IGNORE: Share = () => undefined;

/** A viewer's GET or HEAD. */
export interface Visit {
  readonly request: HttpRequest;
  readonly behavior: Pick<Behavior, 'cachePolicy' | 'originRequestPolicy'>;
  /** The path for invalidations. */
  readonly viewerPath: string;
  /** Sends a request to the origin. Returns 502 or 504 if the origin fails or times out. */
  readonly send: (request: HttpRequest) => Promise<HttpResponse>;
}

/** The caching of a distribution at one edge. */
export class EdgeCache {
  private readonly cache = new Cache();
  /** By cache key: the response to the first of simultaneous requests, if it can be shared. */
  private readonly pending = new Map<string, Promise<Entry | undefined>>();
  private readonly config: DistributionConfig;
  private readonly onFault: (line: string) => void;

  /** @param onFault receives a line for each response of the origin that a stale one replaces */
  constructor(config: DistributionConfig, onFault: (line: string) => void) {
    this.config = config;
    this.onFault = onFault;
  }

  /** @param at when it takes effect, in Unix milliseconds */
  invalidate(items: readonly string[], at = Date.now()): void {
    this.cache.invalidate(items, at);
  }

  /**
   * Returns the response to GET or HEAD from the cache, the origin, or a simultaneous request for the same object.
   * Caches complete responses to GET.
   * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/RangeGETs.html
   * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/RequestAndResponseBehaviorCustomOrigin.html
   */
  async fetch(visit: Visit): Promise<HttpResponse> {
    const { request } = visit;
    const key = cacheKey(request, visit.behavior.cachePolicy);
    const stored = this.cache.get(key);
    if (stored && stored.expiresAt > Date.now()) return fromCache(stored, request, 'Hit from cloudfront');

    const first = this.pending.get(key);
    if (first === undefined) return this.fromOrigin(key, visit, mayLead(visit) ? this.lead(key) : IGNORE);
    const shared = await first;
    return shared ? fromCache(shared, request, 'Hit from cloudfront') : this.fromOrigin(key, visit, IGNORE);
  }

  /** Lets simultaneous requests wait, until the returned function is called. */
  private lead(key: string): Share {
    const { promise, resolve } = Promise.withResolvers<Entry | undefined>();
    this.pending.set(key, promise);
    return (entry) => {
      if (this.pending.get(key) === promise) this.pending.delete(key);
      resolve(entry);
    };
  }

  private async fromOrigin(key: string, visit: Visit, share: Share): Promise<HttpResponse> {
    const { request, viewerPath, send, behavior } = visit;
    const { cachePolicy } = behavior;
    const stored = this.cache.get(key);
    const arrival = this.cache.begin(viewerPath);
    const shareable = (entry: Entry) =>
      arrival.allows(entry.tags) && (entry.expiresAt > Date.now() || mayCollapse(entry.headers));
    const finish = (entry?: Entry) => {
      share(entry && shareable(entry) ? entry : undefined);
      arrival.end();
    };
    const response = await send(stored ? revalidation(request, stored) : request);
    const renewed = stored && this.renew(stored, response, visit, arrival);
    if (renewed) {
      if (!Buffer.isBuffer(response.body)) response.body.destroy();
      arrival.store(key, renewed);
      finish(renewed);
      return fromCache(renewed, request, 'RefreshHit from cloudfront');
    }
    if (request.method === 'HEAD' || [206, 304].includes(response.status)) {
      finish();
      return response;
    }
    const entry = (body: Buffer) => this.entry(viewerPath, cachePolicy, { ...response, body });
    // Others need not wait for the end of a body that they cannot share.
    if (!shareable(entry(Buffer.alloc(0)))) share(undefined);
    return keepWhileSending(response, (body) => {
      const complete = body && entry(body);
      if (complete && Math.max(complete.expiresAt, complete.staleUntil) > complete.storedAt) {
        arrival.store(key, complete);
      }
      finish(complete);
    });
  }

  /**
   * Returns the cached entry with a new lifetime if the origin revalidates it, or if the origin fails. After a failure,
   * the origin gets no requests for the error caching minimum TTL.
   * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html
   */
  private renew(
    stored: Entry,
    { status, headers }: HttpResponse,
    { request, behavior }: Visit,
    arrival: Arrival,
  ): Entry | undefined {
    if (status === 304 && header(stored.headers, 'etag') !== undefined) {
      const fields = withHeaders(stored.headers, withoutHeaders(headers, ['content-length']));
      return this.entry(stored.path, behavior.cachePolicy, { ...stored, headers: fields });
    }
    const now = Date.now();
    if (status < 500 || stored.staleUntil <= now || !arrival.allows(stored.tags)) return undefined;
    this.onFault(`${request.method} ${request.path} ${status}`);
    const retryAt = now + this.errorTtl(status) * 1000;
    return { ...stored, expiresAt: Math.min(retryAt, stored.staleUntil) };
  }

  private entry(
    path: string,
    policy: CachePolicy,
    { status, headers, body }: Pick<Entry, 'status' | 'headers' | 'body'>,
  ): Entry {
    const storedAt = Date.now();
    const ttl = timeToLive(status, headers, policy, this.errorTtl(status));
    return {
      path,
      tags: readTags(headers, this.config.CacheTagConfig?.HeaderName),
      status,
      headers,
      body,
      storedAt,
      expiresAt: storedAt + ttl * 1000,
      staleUntil: storedAt + staleLifetime(status, headers, policy, ttl) * 1000,
    };
  }

  private errorTtl(status: number): number {
    const rule = this.config.CustomErrorResponses.find(({ ErrorCode }) => ErrorCode === status);
    return rule?.ErrorCachingMinTTL ?? ERROR_CACHING_MIN_TTL;
  }
}

/** Reports whether simultaneous requests may wait for this one. None may in a behavior that forwards cookies. */
function mayLead({ request, behavior }: Visit): boolean {
  const forwardsCookies = behavior.originRequestPolicy.cookies.mode !== 'none';
  return request.method === 'GET' && header(request.headers, 'range') === undefined && !forwardsCookies;
}

/** Returns the response from a cached entry: 304 when the viewer has it, 206 or 416 for a range. */
function fromCache(entry: Entry, request: HttpRequest, xCache: string): HttpResponse {
  const { status, body } = entry;
  const age = String(Math.floor((Date.now() - entry.storedAt) / 1000));
  const headers = withHeaders(entry.headers, [
    ['Age', age],
    ['X-Cache', xCache],
  ]);
  const whole = { status, headers, body, servedBy: 'cache' };
  if (status !== 200) return whole;
  if (viewerHas(entry, request)) {
    return {
      ...whole,
      status: 304,
      headers: withoutHeaders(headers, ['content-length', 'content-type']),
      body: Buffer.alloc(0),
    };
  }
  const range = wantedRange(entry, request);
  if (range === undefined) return whole;
  if (range === 'unsatisfiable') {
    const headers: HeaderList = [['Content-Range', `bytes */${body.length}`]];
    return { ...whole, status: 416, headers, body: Buffer.alloc(0) };
  }
  const { first, last } = range;
  const part = body.subarray(first, last + 1);
  const fields: HeaderList = [
    ['Content-Range', `bytes ${first}-${last}/${body.length}`],
    ['Content-Length', String(part.length)],
  ];
  return { ...whole, status: 206, headers: withHeaders(headers, fields), body: part };
}

/** Evaluates the viewer's `If-None-Match` (RFC 9110, 13.1.2). Every origin of the template sends ETags. */
function viewerHas(entry: Entry, request: HttpRequest): boolean {
  const etag = header(entry.headers, 'etag');
  const wanted = header(request.headers, 'if-none-match')?.split(/\s*,\s*/) ?? [];
  return etag !== undefined && wanted.some((one) => one === '*' || weak(one) === weak(etag));
}

/** Returns the range of a GET (RFC 9110, 14.2), unless `If-Range` names another ETag. */
function wantedRange(entry: Entry, request: HttpRequest): ByteRange | undefined {
  const range = header(request.headers, 'range');
  if (range === undefined || request.method !== 'GET') return undefined;
  const condition = header(request.headers, 'if-range');
  const holds = condition === undefined || condition === header(entry.headers, 'etag');
  return holds ? parseByteRange(range, entry.body.length) : undefined;
}

function weak(etag: string): string {
  return etag.replace(/^W\//, '');
}

/** Returns the response, and calls `done` with its complete body, or with undefined if it fails. */
function keepWhileSending(response: HttpResponse, done: (body: Buffer | undefined) => void): HttpResponse {
  const { body } = response;
  if (Buffer.isBuffer(body)) {
    done(body);
    return response;
  }
  const out = new PassThrough();
  const copy = new PassThrough();
  body.once('error', (error) => {
    out.destroy(error);
    copy.destroy(error);
  });
  body.pipe(out);
  body.pipe(copy);
  // If the viewer disconnects, the response is still cached.
  out.once('close', () => body.unpipe(out));
  collect(copy).then(done, () => done(undefined));
  return { ...response, body: out };
}

/** Returns the request with the ETag of the stored response as its condition, if it has one, in place of the viewer's. */
function revalidation(request: HttpRequest, stored: Entry): HttpRequest {
  const etag = header(stored.headers, 'etag');
  if (etag === undefined) return request;
  const headers = withoutHeaders(request.headers, ['if-none-match', 'if-modified-since']);
  return { ...request, headers: [...headers, ['If-None-Match', etag]] };
}
