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
import type { Behavior } from './behavior.ts';
import { EdgeCache } from './edge-cache.ts';
import { FunctionFailure } from './function.ts';
import { originRequest } from './origin-request.ts';
import { applyResponseHeaders } from './policies.ts';
import type { DistributionConfig } from './properties.ts';

/** A CloudFront distribution: behaviors, functions and cache. */
export class Distribution {
  readonly id: string;
  readonly domainName: string;
  private readonly config: DistributionConfig;
  private readonly behaviors: readonly Behavior[];
  private readonly cache: EdgeCache;
  private readonly log: (line: string) => void;

  constructor(
    id: string,
    domainName: string,
    config: DistributionConfig,
    behaviors: readonly Behavior[],
    log: (line: string) => void,
  ) {
    this.id = id;
    this.domainName = domainName;
    this.config = config;
    this.behaviors = behaviors;
    this.cache = new EdgeCache(config);
    this.log = log;
  }

  /** Alternate domain names in lower case; a leading `*.` is a wildcard. */
  get aliases(): readonly string[] {
    return this.config.Aliases;
  }

  /** Removes entries from the cache. Items are paths (`/a/*`) or tags (`#tag`). */
  invalidate(items: readonly string[]): void {
    this.cache.invalidate(items);
  }

  /** Returns the response to a viewer. */
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

  /** Returns the response from the cache if possible, otherwise from the origin. */
  private fetch(behavior: Behavior, request: HttpRequest, viewerPath: string): Promise<HttpResponse> {
    const send = (toOrigin: HttpRequest) => this.sendToOrigin(behavior, toOrigin);
    const { cachePolicy } = behavior;
    const cacheable = cachePolicy.maxTtl > 0 && ['GET', 'HEAD'].includes(request.method);
    return cacheable ? this.cache.fetch(request, cachePolicy, viewerPath, send) : send(request);
  }

  private async sendToOrigin(behavior: Behavior, request: HttpRequest): Promise<HttpResponse> {
    const { origin, originProperties, cachePolicy, originRequestPolicy } = behavior;
    const config = originProperties.CustomOriginConfig ?? originProperties.S3OriginConfig;
    const timeoutMs = (config?.OriginReadTimeout ?? 30) * 1000;
    const toOrigin = originRequest(request, cachePolicy, originRequestPolicy, originProperties);
    const late = new Error(`the origin ${originProperties.Id} did not respond within ${timeoutMs} ms`);
    const pending = origin.handle(toOrigin);
    try {
      const response = await within(timeoutMs, pending, () => late);
      const { body } = response;
      return Buffer.isBuffer(body) ? response : { ...response, body: cutWhenIdle(body, timeoutMs) };
    } catch (error) {
      this.log(`CloudFront: ${request.method} ${request.path}: ${(error as Error).message || String(error)}`);
      if (error !== late) return errorPage(502, 'CloudFront was not able to connect to the origin.');
      // The origin still sends its response.
      pending.then(
        ({ body }) => Buffer.isBuffer(body) || body.destroy(),
        () => undefined,
      );
      return errorPage(
        504,
        'CloudFront attempted to establish a connection with the origin, but the origin did not respond in time.',
      );
    }
  }

  /** Applies the distribution's custom error responses. An error page is fetched by the behavior of its path. */
  private async customError(response: HttpResponse, request: HttpRequest): Promise<HttpResponse> {
    const rule = this.config.CustomErrorResponses.find(({ ErrorCode }) => ErrorCode === response.status);
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
