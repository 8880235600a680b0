import { randomUUID } from 'node:crypto';
import {
  cutWhenIdle,
  type HeaderList,
  HOP_BY_HOP,
  type HttpRequest,
  type HttpResponse,
  header,
  withHeaders,
  within,
  withoutHeaders,
} from '../http.ts';
import type { WebAcl } from '../waf/web-acl.ts';
import type { Behavior } from './behavior.ts';
import { CustomHeaders } from './custom-headers.ts';
import { EdgeCache } from './edge-cache.ts';
import { BY_FUNCTION, FunctionFailure } from './function.ts';
import { type EdgeSeconds, Invalidations } from './invalidations.ts';
import { reportOriginFault } from './origin-faults.ts';
import { originRequest } from './origin-request.ts';
import { applyResponseHeaders } from './policies.ts';
import type { DistributionConfig } from './properties.ts';

/** The points of presence of a distribution, each with a cache of its own. */
const EDGES = 5;

/** Selects the edge of a local viewer. On AWS, the viewer's location does. */
const EDGE_HEADER = 'x-local-edge';

/** What all distributions of a cloud have in common. */
export interface DistributionSettings {
  readonly log: (line: string) => void;
  /** As on AWS by default. */
  readonly invalidationSeconds?: EdgeSeconds | undefined;
  /** How long updates take; by default some seconds, in place of AWS's minutes. */
  readonly updateSeconds?: EdgeSeconds | undefined;
}

/** The settings of one distribution. */
interface OwnSettings extends DistributionSettings {
  readonly webAcl?: WebAcl | undefined;
}

/** A CloudFront distribution: behaviors, functions and caches. */
export class Distribution {
  readonly id: string;
  readonly domainName: string;
  readonly invalidations: Invalidations;
  readonly customHeaders: CustomHeaders;
  readonly config: DistributionConfig;
  private readonly behaviors: readonly Behavior[];
  private readonly edges: readonly EdgeCache[];
  private readonly log: (line: string) => void;
  private readonly webAcl: WebAcl | undefined;

  constructor(
    id: string,
    domainName: string,
    config: DistributionConfig,
    behaviors: readonly Behavior[],
    settings: OwnSettings,
  ) {
    this.id = id;
    this.domainName = domainName;
    this.config = config;
    this.behaviors = behaviors;
    this.log = settings.log;
    this.webAcl = settings.webAcl;
    this.edges = Array.from(
      { length: EDGES },
      () => new EdgeCache(config, (line) => reportOriginFault(line, this.log)),
    );
    this.invalidations = new Invalidations(this.edges, settings.invalidationSeconds);
    this.customHeaders = new CustomHeaders(config.Origins, EDGES, settings.updateSeconds);
  }

  /** Alternate domain names in lower case; a leading `*.` is a wildcard. */
  get aliases(): readonly string[] {
    return this.config.Aliases;
  }

  /** Returns the response to a viewer, from the edge that its `X-Local-Edge` names, otherwise from the first. */
  async handle(incoming: HttpRequest): Promise<HttpResponse> {
    const pop = header(incoming.headers, EDGE_HEADER) ?? '0';
    const edge = /^\d$/.test(pop) ? this.edges[Number(pop)] : undefined;
    if (edge === undefined) return errorPage(400, `Invalid ${EDGE_HEADER}: expected 0 to ${EDGES - 1}`);
    const viewerRequest = { ...incoming, headers: withoutHeaders(incoming.headers, [EDGE_HEADER]) };
    // Before the cache and every function. CloudFront adds no headers of policies.
    const blocked = this.webAcl?.block(viewerRequest);
    if (blocked) return blocked;
    const behavior = this.behaviorOf(viewerRequest.path);
    const origin = await this.respond(edge, behavior, viewerRequest);
    const response = await this.customError(edge, origin, viewerRequest);
    const xCache =
      header(response.headers, 'x-cache') ??
      (response.status >= 400 ? 'Error from cloudfront' : 'Miss from cloudfront');
    try {
      return {
        ...response,
        headers: withHeaders(await this.headers(response, behavior, viewerRequest), [
          ['X-Cache', xCache],
          ['Via', '1.1 local.cloudfront.net (CloudFront)'],
          ['X-Amz-Cf-Pop', `LOC${pop}-P1`],
          ['X-Amz-Cf-Id', randomUUID()],
        ]),
      };
    } catch (error) {
      if (!Buffer.isBuffer(response.body)) response.body.destroy();
      return this.failure(error);
    }
  }

  /**
   * Returns the headers for the viewer: with those of the policy, and as the function for responses changes them. It does not
   * run for errors, and here not for responses of the function for requests.
   * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/edge-function-restrictions-all.html
   * @throws FunctionFailure
   */
  private async headers(
    response: HttpResponse,
    { responseHeadersPolicy, onViewerResponse }: Behavior,
    viewerRequest: HttpRequest,
  ): Promise<HeaderList> {
    const own = withoutHeaders(response.headers, [...HOP_BY_HOP, 'x-cache']);
    const headers = applyResponseHeaders(own, responseHeadersPolicy, viewerRequest);
    const isError = response.status >= 400;
    if (onViewerResponse === undefined || isError || response.servedBy === BY_FUNCTION) return headers;
    return onViewerResponse.onViewerResponse(viewerRequest, { ...response, headers }, this.names);
  }

  private get names() {
    return { distributionDomainName: this.domainName, distributionId: this.id };
  }

  private behaviorOf(path: string): Behavior {
    const behavior = this.behaviors.find(({ pattern }) => pattern.test(path));
    if (behavior === undefined) throw new Error(`no behavior for ${path}`);
    return behavior;
  }

  private async respond(
    edge: EdgeCache,
    behavior: Behavior,
    viewerRequest: HttpRequest,
  ): Promise<HttpResponse> {
    if (!behavior.allowedMethods.includes(viewerRequest.method)) {
      return errorPage(
        403,
        `This distribution is not configured to allow the HTTP request method ${viewerRequest.method}.`,
      );
    }
    try {
      const result = (await behavior.onViewerRequest?.onViewerRequest(viewerRequest, this.names)) ?? {
        request: viewerRequest,
      };
      if ('response' in result) return result.response;
      const { request } = result;
      const path = request.path === '/' ? `/${this.config.DefaultRootObject}` : request.path;
      return await this.fetch(edge, behavior, { ...request, path }, viewerRequest.path);
    } catch (error) {
      return this.failure(error);
    }
  }

  /** Returns the error page for a failed function. @throws any other error */
  private failure(error: unknown): HttpResponse {
    if (!(error instanceof FunctionFailure)) throw error;
    this.log(error.message);
    return errorPage(
      error.status,
      'The CloudFront function associated with the distribution is invalid or failed.',
    );
  }

  /** Returns the response from the edge's cache if possible, otherwise from the origin. */
  private fetch(
    edge: EdgeCache,
    behavior: Behavior,
    request: HttpRequest,
    viewerPath: string,
  ): Promise<HttpResponse> {
    const send = (toOrigin: HttpRequest) => this.sendToOrigin(edge, behavior, toOrigin);
    const cacheable = behavior.cachePolicy.maxTtl > 0 && ['GET', 'HEAD'].includes(request.method);
    return cacheable ? edge.fetch({ request, behavior, viewerPath, send }) : send(request);
  }

  private async sendToOrigin(
    edge: EdgeCache,
    behavior: Behavior,
    request: HttpRequest,
  ): Promise<HttpResponse> {
    const { origin, originProperties, cachePolicy, originRequestPolicy } = behavior;
    const config = originProperties.CustomOriginConfig ?? originProperties.S3OriginConfig;
    const timeoutMs = (config?.OriginReadTimeout ?? 30) * 1000;
    const added = this.customHeaders.at(this.edges.indexOf(edge), originProperties.Id);
    const toOrigin = originRequest(request, cachePolicy, originRequestPolicy, {
      ...originProperties,
      OriginCustomHeaders: added,
    });
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
  private async customError(
    edge: EdgeCache,
    response: HttpResponse,
    request: HttpRequest,
  ): Promise<HttpResponse> {
    const rule = this.config.CustomErrorResponses.find(({ ErrorCode }) => ErrorCode === response.status);
    if (rule?.ResponsePagePath === undefined) return response;
    const page = await this.fetch(
      edge,
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
