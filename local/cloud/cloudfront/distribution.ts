import { randomUUID } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import type { PutMetric } from '../cloudwatch/metrics.ts';
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
import type { WebAcl } from '../waf.ts';
import { type Behavior, headersOf, type OriginHeaders, originRequest } from './behavior.ts';
import { EdgeCache } from './edge-cache.ts';
import { EDGE_HEADER, EDGES, edgeOf, errorPage, Rollout } from './edges.ts';
import { BY_FUNCTION, FunctionFailure } from './function.ts';
import { type EdgeSeconds, Invalidations } from './invalidations.ts';
import { applyResponseHeaders } from './policies.ts';
import { type DistributionConfig, withParameters } from './properties.ts';

/** The settings of all distributions of a cloud. */
export interface DistributionSettings {
  readonly log: (line: string) => void;
  /** The durations of invalidations; by default those of AWS. */
  readonly invalidationSeconds?: EdgeSeconds | undefined;
  /** The durations of updates; by default some seconds, instead of AWS's minutes. */
  readonly updateSeconds?: EdgeSeconds | undefined;
  readonly putMetric?: PutMetric | undefined;
}

interface OwnSettings extends DistributionSettings {
  readonly webAcl?: WebAcl | undefined;
}

/** The way into a distribution: its own domain names, or those of a tenant. */
export interface Entrance {
  /** The domain name that CloudFront gives it. */
  readonly endpoint: string;
  readonly edges: readonly EdgeCache[];
  /** The values of the parameters in the configuration of origins. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The edge that a request reached. */
interface Place {
  readonly pop: number;
  readonly edge: EdgeCache;
  readonly entrance: Entrance;
}

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/programming-cloudwatch-metrics.html */
const DOWNLOADS = ['GET', 'HEAD', 'OPTIONS'];

/** A CloudFront distribution: behaviors, functions and caches. */
export class Distribution {
  readonly id: string;
  readonly domainName: string;
  readonly invalidations: Invalidations;
  /** The headers that it adds for its origins, by the id of the origin. */
  readonly customHeaders: Rollout<ReadonlyMap<string, OriginHeaders>>;
  readonly config: DistributionConfig;
  private readonly behaviors: readonly Behavior[];
  private readonly own: Entrance;
  private readonly log: (line: string) => void;
  private readonly webAcl: WebAcl | undefined;
  private readonly putMetric: PutMetric | undefined;

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
    this.putMetric = settings.putMetric;
    this.own = { endpoint: domainName, edges: this.newEdges(), parameters: {} };
    this.invalidations = new Invalidations(this.own.edges, settings.invalidationSeconds);
    this.customHeaders = new Rollout(headersOf(config.Origins), EDGES, settings.updateSeconds);
  }

  /** Returns empty caches, one for each edge. */
  newEdges(): EdgeCache[] {
    const onFault = (line: string) => reportOriginFault(line, this.log);
    return Array.from({ length: EDGES }, () => new EdgeCache(this.config, onFault));
  }

  /** Alternate domain names in lower case; a leading `*.` is a wildcard. */
  get aliases(): readonly string[] {
    return this.config.Aliases;
  }

  /** Returns the response to a viewer, from the edge that its `X-Local-Edge` names, otherwise from the first. */
  handle(incoming: HttpRequest): Promise<HttpResponse> {
    return this.respondAt(this.own, incoming);
  }

  /** Returns the response to a viewer who enters through the own names of the distribution or through a tenant. */
  async respondAt(entrance: Entrance, incoming: HttpRequest): Promise<HttpResponse> {
    const response = await this.responseAt(entrance, incoming);
    return DOWNLOADS.includes(incoming.method)
      ? { ...response, onSent: (bytes) => this.countDownloaded(bytes) }
      : response;
  }

  private countDownloaded(bytes: number): void {
    const dimensions = { DistributionId: this.id, Region: 'Global' };
    this.putMetric?.({ namespace: 'AWS/CloudFront', name: 'BytesDownloaded', dimensions }, bytes);
  }

  private async responseAt(entrance: Entrance, incoming: HttpRequest): Promise<HttpResponse> {
    const pop = edgeOf(incoming);
    const edge = entrance.edges[pop ?? EDGES];
    if (pop === undefined || edge === undefined)
      return errorPage(400, `Invalid ${EDGE_HEADER}: expected 0 to ${EDGES - 1}`);
    const place: Place = { pop, edge, entrance };
    const viewerRequest = { ...incoming, headers: withoutHeaders(incoming.headers, [EDGE_HEADER]) };
    // Before the cache and every function. CloudFront adds no headers of policies.
    const blocked = this.webAcl?.block(viewerRequest);
    if (blocked) return blocked;
    const behavior = this.behaviorOf(viewerRequest.path);
    const response = await this.respond(place, behavior, viewerRequest);
    const xCache =
      header(response.headers, 'x-cache') ??
      (response.status >= 400 ? 'Error from cloudfront' : 'Miss from cloudfront');
    try {
      return {
        ...response,
        headers: withHeaders(await this.headers(place, response, behavior, viewerRequest), [
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
   * Returns the headers for the viewer: with those of the policy, and as the function for responses changes them. It
   * does not run for errors, and here not for responses of the function for requests.
   * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/edge-function-restrictions-all.html
   * @throws FunctionFailure
   */
  private async headers(
    { entrance }: Place,
    response: HttpResponse,
    { responseHeadersPolicy, onViewerResponse }: Behavior,
    viewerRequest: HttpRequest,
  ): Promise<HeaderList> {
    const own = withoutHeaders(response.headers, [...HOP_BY_HOP, 'x-cache']);
    const headers = applyResponseHeaders(own, responseHeadersPolicy, viewerRequest);
    const isError = response.status >= 400;
    if (onViewerResponse === undefined || isError || response.servedBy === BY_FUNCTION) return headers;
    return onViewerResponse.onViewerResponse(viewerRequest, { ...response, headers }, this.namesAt(entrance));
  }

  private namesAt({ endpoint }: Entrance) {
    return { distributionDomainName: endpoint, distributionId: this.id };
  }

  private behaviorOf(path: string): Behavior {
    const behavior = this.behaviors.find(({ pattern }) => pattern.test(path));
    if (behavior === undefined) throw new Error(`no behavior for ${path}`);
    return behavior;
  }

  private async respond(place: Place, behavior: Behavior, viewerRequest: HttpRequest): Promise<HttpResponse> {
    if (!behavior.allowedMethods.includes(viewerRequest.method)) {
      return errorPage(
        403,
        `This distribution is not configured to allow the HTTP request method ${viewerRequest.method}.`,
      );
    }
    try {
      const names = this.namesAt(place.entrance);
      const result = (await behavior.onViewerRequest?.onViewerRequest(viewerRequest, names)) ?? {
        request: viewerRequest,
      };
      if ('response' in result) return result.response;
      const { request } = result;
      const path = request.path === '/' ? `/${this.config.DefaultRootObject}` : request.path;
      return await this.fetch(place, behavior, { ...request, path }, viewerRequest.path);
    } catch (error) {
      return this.failure(error);
    }
  }

  /** Returns the error page for a failed function. @throws any other error */
  private failure(error: unknown): HttpResponse {
    if (!(error instanceof FunctionFailure)) throw error;
    this.log(error.message);
    return errorPage(error.status, 'The CloudFront function associated with the distribution is invalid or failed.');
  }

  /** Returns the response from the edge's cache if possible, otherwise from the origin. */
  private fetch(place: Place, behavior: Behavior, request: HttpRequest, viewerPath: string): Promise<HttpResponse> {
    const send = (toOrigin: HttpRequest) => this.sendToOrigin(place, behavior, toOrigin);
    const cacheable = behavior.cachePolicy.maxTtl > 0 && ['GET', 'HEAD'].includes(request.method);
    return cacheable ? place.edge.fetch({ request, behavior, viewerPath, send }) : send(request);
  }

  private async sendToOrigin(
    { pop, entrance }: Place,
    behavior: Behavior,
    request: HttpRequest,
  ): Promise<HttpResponse> {
    const { origin, originProperties, cachePolicy, originRequestPolicy } = behavior;
    const config = originProperties.CustomOriginConfig ?? originProperties.S3OriginConfig;
    const timeoutMs = (config?.OriginReadTimeout ?? 30) * 1000;
    const toOrigin = originRequest(request, cachePolicy, originRequestPolicy, {
      ...originProperties,
      OriginPath: withParameters(originProperties.OriginPath, entrance.parameters),
      OriginCustomHeaders: this.customHeaders.at(pop).get(originProperties.Id) ?? [],
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
}

/** Begins the log line of a failure of an origin that a stale response hides from the viewer. */
export const ORIGIN_FAULT = 'Origin fault behind a stale response:';

/** The channel that the same failures are published on, for tests in this process. */
export const ORIGIN_FAULTS = 'local-cloud:origin-faults';

const faults = channel(ORIGIN_FAULTS);

/** @param line method, path and status, such as `GET /a 502` */
function reportOriginFault(line: string, log: (line: string) => void): void {
  log(`${ORIGIN_FAULT} ${line}`);
  faults.publish(line);
}
