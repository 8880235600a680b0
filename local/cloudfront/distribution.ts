import { randomUUID } from 'node:crypto';
import {
  cutWhenIdle,
  HOP_BY_HOP,
  type HttpRequest,
  type HttpResponse,
  header,
  withHeaders,
  within,
  withoutHeaders,
} from '../http.ts';
import type { Stack } from '../template/stack.ts';
import { type Behavior, readBehavior } from './behavior.ts';
import { Cache, type Entry, readTags, timeToLive } from './cache.ts';
import { fromCache, keepWhileSending } from './cached-answer.ts';
import { CloudFrontFunction, FunctionFailure } from './function.ts';
import { cacheKey, originRequest } from './origin-request.ts';
import { Origins, type Services } from './origins.ts';
import { applyResponseHeaders, Policies } from './policies.ts';
import { type DistributionConfig, DistributionProperties, FunctionProperties } from './properties.ts';

/** Reads the template's one distribution. */
export function readDistribution(
  stack: Stack,
  services: Services,
  log: (line: string) => void,
): Distribution {
  const [distribution, ...more] = stack.all('AWS::CloudFront::Distribution', DistributionProperties);
  if (distribution === undefined || more.length > 0) {
    throw new Error('The local cloud needs exactly one AWS::CloudFront::Distribution in the template.');
  }
  const config = distribution.properties.DistributionConfig;
  const arn = `arn:aws:cloudfront::${stack.target.accountId}:distribution/${distribution.ref}`;
  const policies = new Policies(stack);
  const origins = new Origins(stack, services);
  const functions = new Map(
    stack
      .all('AWS::CloudFront::Function', FunctionProperties)
      .map(({ ref, logicalId, properties }) => [
        ref,
        new CloudFrontFunction(logicalId, properties.FunctionCode, (line) => log(`  ${logicalId} ${line}`)),
      ]),
  );
  const behaviors = [...config.CacheBehaviors, { ...config.DefaultCacheBehavior, PathPattern: '*' }].map(
    (properties) =>
      readBehavior(properties, config, policies, functions, (origin) => origins.find(origin, arn)),
  );
  return new Distribution(distribution.ref, arn, stack.target.frontDoor, config, behaviors, log);
}

/** One CloudFront distribution: behaviors, its function, its cache. */
export class Distribution {
  readonly id: string;
  readonly arn: string;
  readonly cache = new Cache();
  private readonly domainName: string;
  private readonly config: DistributionConfig;
  private readonly behaviors: readonly Behavior[];
  private readonly log: (line: string) => void;

  constructor(
    id: string,
    arn: string,
    domainName: string,
    config: DistributionConfig,
    behaviors: readonly Behavior[],
    log: (line: string) => void,
  ) {
    this.id = id;
    this.arn = arn;
    this.domainName = domainName;
    this.config = config;
    this.behaviors = behaviors;
    this.log = log;
  }

  /** Answers a viewer. */
  async handle(viewerRequest: HttpRequest): Promise<HttpResponse> {
    const behavior = this.behaviorOf(viewerRequest.path);
    const response = await this.customError(await this.respond(behavior, viewerRequest), viewerRequest);
    const headers = withoutHeaders(response.headers, HOP_BY_HOP);
    const xCache =
      header(headers, 'x-cache') ??
      (response.status >= 400 ? 'Error from cloudfront' : 'Miss from cloudfront');
    return {
      ...response,
      headers: withHeaders(applyResponseHeaders(headers, behavior.responseHeadersPolicy), [
        ['X-Cache', xCache],
        ['Via', '1.1 local.cloudfront.net (CloudFront)'],
        ['X-Amz-Cf-Id', randomUUID()],
      ]),
    };
  }

  private behaviorOf(path: string): Behavior {
    const behavior = this.behaviors.find(({ pattern }) => pattern.test(path));
    if (behavior === undefined) throw new Error(`no behavior for ${path}`);
    return behavior;
  }

  private async respond(behavior: Behavior, viewerRequest: HttpRequest): Promise<HttpResponse> {
    if (!behavior.allowedMethods.includes(viewerRequest.method)) {
      return errorPage(
        403,
        `This distribution is not configured to allow the HTTP request method ${viewerRequest.method}.`,
      );
    }
    try {
      const names = { distributionDomainName: this.domainName, distributionId: this.id };
      const result = (await behavior.onViewerRequest?.onViewerRequest(viewerRequest, names)) ?? {
        request: viewerRequest,
      };
      if ('response' in result) return result.response;
      const { request } = result;
      const path = request.path === '/' ? `/${this.config.DefaultRootObject}` : request.path;
      return await this.fetch(behavior, { ...request, path }, viewerRequest.path);
    } catch (error) {
      if (!(error instanceof FunctionFailure)) throw error;
      this.log(error.message);
      return errorPage(
        error.status,
        'The CloudFront function associated with the distribution is invalid or failed.',
      );
    }
  }

  /** From the cache if that is possible, else from the origin. */
  private async fetch(behavior: Behavior, request: HttpRequest, viewerPath: string): Promise<HttpResponse> {
    const { cachePolicy } = behavior;
    const cacheable =
      cachePolicy.maxTtl > 0 && ['GET', 'HEAD'].includes(request.method) && !header(request.headers, 'range');
    if (!cacheable) return this.askOrigin(behavior, request);

    const key = cacheKey(request, cachePolicy);
    const stored = this.cache.get(key);
    if (stored && stored.expiresAt > Date.now()) return fromCache(stored, request, 'Hit from cloudfront');

    const arriving = this.cache.begin(viewerPath);
    const etag = stored && header(stored.headers, 'etag');
    const asked = etag
      ? { ...request, headers: withHeaders(request.headers, [['If-None-Match', etag]]) }
      : request;
    const response = await this.askOrigin(behavior, asked).catch((error: unknown) => {
      arriving.end();
      throw error;
    });
    const toEntry = (status: number, headers: HttpResponse['headers'], body: Buffer): Entry => {
      const errorTtl = this.errorRule(status)?.ErrorCachingMinTTL ?? 10;
      const ttl = timeToLive(status, headers, cachePolicy, errorTtl);
      const tags = readTags(headers, this.config.CacheTagConfig?.HeaderName);
      const now = Date.now();
      return { path: viewerPath, tags, status, headers, body, storedAt: now, expiresAt: now + ttl * 1000 };
    };
    if (stored && etag && response.status === 304) {
      const entry = toEntry(stored.status, withHeaders(stored.headers, response.headers), stored.body);
      arriving.store(key, entry);
      arriving.end();
      return fromCache(entry, request, 'RefreshHit from cloudfront');
    }
    if (request.method === 'HEAD' || response.status === 304) {
      arriving.end();
      return response;
    }
    return keepWhileSending(response, (body) => {
      const entry = body && toEntry(response.status, response.headers, body);
      if (entry && entry.expiresAt > entry.storedAt) arriving.store(key, entry);
      arriving.end();
    });
  }

  private async askOrigin(behavior: Behavior, request: HttpRequest): Promise<HttpResponse> {
    const { origin, originProperties, cachePolicy, originRequestPolicy } = behavior;
    const config = originProperties.CustomOriginConfig ?? originProperties.S3OriginConfig;
    const timeoutMs = (config?.OriginReadTimeout ?? 30) * 1000;
    const asked = originRequest(request, cachePolicy, originRequestPolicy, originProperties);
    const late = new Error(`the origin ${originProperties.Id} did not answer within ${timeoutMs} ms`);
    const answer = origin.handle(asked);
    try {
      const response = await within(timeoutMs, answer, () => late);
      const { body } = response;
      return Buffer.isBuffer(body) ? response : { ...response, body: cutWhenIdle(body, timeoutMs) };
    } catch (error) {
      this.log(`CloudFront: ${request.method} ${request.path}: ${(error as Error).message || String(error)}`);
      if (error !== late) return errorPage(502, 'CloudFront was not able to connect to the origin.');
      // The origin does not notice that nobody waits any more.
      answer.then(
        ({ body }) => Buffer.isBuffer(body) || body.destroy(),
        () => undefined,
      );
      return errorPage(
        504,
        'CloudFront attempted to establish a connection with the origin, but the origin did not answer in time.',
      );
    }
  }

  private errorRule(status: number): DistributionConfig['CustomErrorResponses'][number] | undefined {
    return this.config.CustomErrorResponses.find(({ ErrorCode }) => ErrorCode === status);
  }

  /** An error as the distribution's custom error responses want it; a page comes from the behavior of its path. */
  private async customError(response: HttpResponse, request: HttpRequest): Promise<HttpResponse> {
    const rule = response.status >= 400 ? this.errorRule(response.status) : undefined;
    if (rule?.ResponsePagePath === undefined) return response;
    const page = await this.fetch(
      this.behaviorOf(rule.ResponsePagePath),
      {
        ...request,
        method: 'GET',
        path: rule.ResponsePagePath,
        query: '',
        headers: withoutHeaders(request.headers, ['if-none-match', 'range']),
      },
      rule.ResponsePagePath,
    );
    if (page.status !== 200) return response;
    if (!Buffer.isBuffer(response.body)) response.body.destroy();
    return { ...page, status: rule.ResponseCode ?? response.status };
  }
}

function errorPage(status: number, message: string): HttpResponse {
  const html = `<!DOCTYPE html><title>ERROR: The request could not be satisfied</title><h1>${status} ERROR</h1><p>${message}</p><p>Generated by the local cloud in place of CloudFront.</p>\n`;
  return {
    status,
    headers: [['Content-Type', 'text/html']],
    body: Buffer.from(html),
    servedBy: 'CloudFront',
  };
}
