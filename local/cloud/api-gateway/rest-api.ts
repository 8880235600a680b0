import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { Metrics } from '../cloudwatch/metrics.ts';
import {
  HOP_BY_HOP,
  type HttpRequest,
  type HttpResponse,
  header,
  jsonResponse,
  readBody,
  withoutHeaders,
} from '../http.ts';
import type { Lambda } from '../lambda/lambda.ts';
import type { Principals } from '../roles.ts';
import type { Resource, Stack } from '../template/stack.ts';
import { type Authorizer, lambdaAuthorizer } from './authorizer.ts';
import { type Integration, IntegrationError, type Match, Routes, Throttle } from './integration.ts';
import { LambdaIntegration } from './lambda-integration.ts';
import * as properties from './properties.ts';
import { AuthorizerProperties, type MethodProperties } from './properties.ts';
import { GatewayResponses, type RequestContext } from './responses.ts';
import { S3Integration } from './s3-integration.ts';

/** The largest request body of a REST API, in bytes. */
const BODY_LIMIT = 10_485_760;

/** Response header fields of integrations that API Gateway renames; it does not rename those of gateway responses. */
const REMAPPED = ['connection', 'date', 'server', 'user-agent', 'www-authenticate'];

type Definition<Schema extends z.ZodType> = Resource<z.output<Schema>>;

/** Returns the REST APIs of the template by the id in their host name. */
export function readRestApis(
  stack: Stack,
  services: Services,
  log: (line: string) => void,
  metrics = new Metrics(),
): ReadonlyMap<string, RestApi> {
  const integrations = new Integrations(stack, services);
  const resources = stack.all('AWS::ApiGateway::Resource', properties.ResourceProperties);
  const methods = stack.all('AWS::ApiGateway::Method', properties.MethodProperties);
  const stages = stack.all('AWS::ApiGateway::Stage', properties.StageProperties);
  const responses = stack.all('AWS::ApiGateway::GatewayResponse', properties.GatewayResponseProperties);
  const apis = stack.all('AWS::ApiGateway::RestApi', properties.RestApiProperties).map((api) => {
    const ours = <T extends Definition<z.ZodType<{ RestApiId: string }>>>(all: T[]) =>
      all.filter((one) => one.properties.RestApiId === api.ref);
    const routes = new Routes<Integration>(
      api.attribute('RootResourceId'),
      ours(resources).map((one) => ({
        id: one.ref,
        parentId: one.properties.ParentId,
        pathPart: one.properties.PathPart,
      })),
    );
    for (const method of ours(methods)) {
      const { ResourceId, HttpMethod } = method.properties;
      routes.add(ResourceId, HttpMethod, integrations.of(method));
    }
    const gatewayResponses = new GatewayResponses(ours(responses).map((one) => one.properties));
    const ourStages = ours(stages).map((one) => ({
      properties: one.properties,
      throttle: new Throttle(one.properties.MethodSettings),
    }));
    return new RestApi({ stack, api, routes, stages: ourStages, gatewayResponses, log, metrics });
  });
  return new Map(apis.map((api) => [api.id, api]));
}

interface Stage {
  readonly properties: z.output<typeof properties.StageProperties>;
  readonly throttle: Throttle;
}

interface Parts {
  readonly stack: Stack;
  readonly api: Definition<typeof properties.RestApiProperties>;
  readonly routes: Routes<Integration>;
  readonly stages: readonly Stage[];
  readonly gatewayResponses: GatewayResponses;
  readonly log: (line: string) => void;
  readonly metrics: Metrics;
}

/** A REST API with its stages, as its own host name serves it. */
export class RestApi {
  readonly id: string;
  readonly domainName: string;
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.id = parts.api.ref;
    this.domainName = `${this.id}.execute-api.${parts.stack.target.region}.amazonaws.com`;
    this.parts = parts;
  }

  /** Returns the response to a request whose path begins with the name of the stage. */
  async handle(request: HttpRequest): Promise<HttpResponse> {
    // As on AWS, a client can set it, so it is neither secret nor unique.
    const requestId = header(request.headers, 'x-amzn-requestid') ?? randomUUID();
    const response = await this.route(request, requestId);
    this.measure(response.status);
    const headers = withoutHeaders(response.headers, [...HOP_BY_HOP, 'content-length']);
    return { ...response, headers: [...headers, ['x-amzn-RequestId', requestId]] };
  }

  /** https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-metrics-and-dimensions.html */
  private measure(status: number): void {
    const { metrics, api } = this.parts;
    const dimensions = { ApiName: api.properties.Name };
    const counts = {
      Count: 1,
      '4XXError': Number(status >= 400 && status < 500),
      '5XXError': Number(status >= 500),
    };
    for (const [name, value] of Object.entries(counts))
      metrics.put({ namespace: 'AWS/ApiGateway', name, dimensions }, value);
  }

  private async route(request: HttpRequest, requestId: string): Promise<HttpResponse> {
    const { routes, stages, log } = this.parts;
    const [, stageName = '', path = '/'] = /^\/([^/]*)(\/.*)?$/.exec(request.path) ?? [];
    const stage = stages.find((one) => one.properties.StageName === stageName);
    // Without a stage, no API and no gateway response applies.
    if (stage === undefined) return jsonResponse(403, { message: 'Forbidden' }, 'API Gateway');
    const match = routes.match(path);
    const integration = match?.methods.get(request.method) ?? match?.methods.get('ANY');
    if (match === undefined || integration === undefined) return this.unmatched(request, requestId);
    if (!stage.throttle.allows(request.method, match.resourcePath))
      return this.parts.gatewayResponses.response('THROTTLED', { requestId }, 'API Gateway');
    const body = await readBody(request, BODY_LIMIT);
    if (body === undefined) return bodyTooLong();
    const context = this.context(request, match, stage, requestId);
    try {
      return remapHeaders(await integration.respond({ request, path, body, match, context }));
    } catch (error) {
      if (!(error instanceof IntegrationError)) throw error;
      log(`API Gateway: ${request.method} ${path}: ${error.message}`);
      const { type, authorizer } = error;
      const context = { requestId, ...(authorizer && { authorizer }) };
      return this.parts.gatewayResponses.response(type, context, 'API Gateway');
    }
  }

  /**
   * Returns the response for a path or method that the API does not have: API Gateway expects a SigV4 signature, and
   * reads it from the `Authorization` header if there is one. AWS does not document the type of that response.
   * https://repost.aws/questions/QU4P9tucybRzG52U5OhwaT0A
   */
  private unmatched(request: HttpRequest, requestId: string): HttpResponse {
    const { gatewayResponses } = this.parts;
    const authorization = header(request.headers, 'authorization');
    if (authorization === undefined)
      return gatewayResponses.response('MISSING_AUTHENTICATION_TOKEN', { requestId }, 'API Gateway');
    const [, credentials = ''] = /^\S+\s+(.*)$/.exec(authorization) ?? [];
    const message = `'${credentials}' not a valid key=value pair (missing equal-sign) in Authorization header: '${authorization}'.`;
    return gatewayResponses.response('DEFAULT_4XX', { requestId }, 'API Gateway', message);
  }

  private context(request: HttpRequest, match: Match<Integration>, stage: Stage, requestId: string): RequestContext {
    const { accountId, region } = this.parts.stack.target;
    const { StageName } = stage.properties;
    return {
      accountId,
      apiId: this.id,
      domainName: this.domainName,
      stage: StageName,
      requestId,
      methodArn: `arn:aws:execute-api:${region}:${accountId}:${this.id}/${StageName}/${request.method}${match.resourcePath}`,
    };
  }
}

function remapHeaders(response: HttpResponse): HttpResponse {
  const headers = response.headers.map(
    ([name, value]) => [REMAPPED.includes(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name, value] as const,
  );
  return { ...response, headers };
}

/** Returns the 413 that API Gateway sends for every API: not customizable, and not JSON. */
function bodyTooLong(): HttpResponse {
  return {
    status: 413,
    headers: [['Content-Type', 'text; charset=utf-8']],
    body: Buffer.from(`HTTP content length exceeded ${BODY_LIMIT} bytes.`),
    servedBy: 'API Gateway',
  };
}

/** The services behind the methods of the APIs. */
interface Services {
  readonly lambda: Lambda;
  readonly principals: Principals;
  /** URL of the S3 endpoint. */
  readonly s3Endpoint: string;
}

const SERVICE = 'apigateway.amazonaws.com';

const Trust = z.looseObject({
  AssumeRolePolicyDocument: z.looseObject({
    Statement: z.array(z.looseObject({ Principal: z.looseObject({ Service: z.string() }) })),
  }),
});

/** Creates the integrations of methods. Rejects integrations that could not work on AWS. */
class Integrations {
  private readonly services: Services;
  private readonly region: string;
  private readonly assumable: ReadonlySet<string>;
  private readonly authorizers: ReadonlyMap<string, Authorizer>;

  constructor(stack: Stack, services: Services) {
    this.services = services;
    this.region = stack.target.region;
    const roles = stack.all('AWS::IAM::Role', Trust).filter(({ properties }) => {
      const { Statement } = properties.AssumeRolePolicyDocument;
      return Statement.some(({ Principal }) => Principal.Service === SERVICE);
    });
    this.assumable = new Set(roles.map((role) => role.attribute('Arn')));
    const { lambda, principals } = services;
    this.authorizers = new Map(
      stack
        .all('AWS::ApiGateway::Authorizer', AuthorizerProperties)
        .map(({ ref, properties }) => [ref, lambdaAuthorizer(ref, properties, lambda, principals.get(SERVICE))]),
    );
  }

  of(method: Resource<MethodProperties>): Integration {
    const integration = this.unauthorized(method);
    const { AuthorizationType, AuthorizerId = '', Integration } = method.properties;
    if (AuthorizationType === 'NONE') return integration;
    const authorizer = this.authorizers.get(AuthorizerId);
    if (authorizer === undefined) throw new Error(`The authorizer of ${method.logicalId} does not exist`);
    if (Integration.Type === 'AWS_PROXY')
      throw new Error(`${method.logicalId}: authorizers of proxy integrations are not supported`);
    return {
      respond: async (request) => {
        const context = { ...request.context, authorizer: await authorizer(request) };
        return integration.respond({ ...request, context });
      },
    };
  }

  private unauthorized({ logicalId, properties: method }: Resource<MethodProperties>): Integration {
    const { lambda, principals, s3Endpoint } = this.services;
    const { Integration: integration } = method;
    if (integration.Type === 'AWS_PROXY') return new LambdaIntegration(integration, lambda, principals.get(SERVICE));
    if (!this.assumable.has(integration.Credentials))
      throw new Error(`${logicalId}: ${SERVICE} may not assume ${integration.Credentials}`);
    const credentials = principals.get(integration.Credentials);
    const access = { endpoint: s3Endpoint, region: this.region, credentials };
    return new S3Integration(logicalId, method, integration, access);
  }
}
