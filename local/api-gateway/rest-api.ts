import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import {
  HOP_BY_HOP,
  type HttpRequest,
  type HttpResponse,
  jsonResponse,
  readBody,
  withoutHeaders,
} from '../http.ts';
import type { Lambda } from '../lambda/lambda.ts';
import type { Principals } from '../roles.ts';
import type { Resource, Stack } from '../template/stack.ts';
import { GatewayResponses } from './gateway-responses.ts';
import { IntegrationError, LambdaIntegration } from './lambda-integration.ts';
import { mockIntegration } from './mock.ts';
import * as properties from './properties.ts';
import { proxyEvent } from './proxy-event.ts';
import { type Match, Routes } from './routes.ts';

/** The largest request body of a REST API, in bytes. */
const BODY_LIMIT = 10_485_760;

/** Response header fields of an integration that API Gateway renames. */
const REMAPPED = ['connection', 'date', 'server', 'user-agent', 'www-authenticate'];

type Integration = LambdaIntegration | HttpResponse;
type Definition<Schema extends z.ZodType> = Resource<z.output<Schema>>;

/** The REST APIs of the template, by the id in their host name. */
export function readRestApis(
  stack: Stack,
  lambda: Lambda,
  principals: Principals,
  log: (line: string) => void,
): ReadonlyMap<string, RestApi> {
  const resources = stack.all('AWS::ApiGateway::Resource', properties.ResourceProperties);
  const methods = stack.all('AWS::ApiGateway::Method', properties.MethodProperties);
  const stages = stack.all('AWS::ApiGateway::Stage', properties.StageProperties);
  const answers = stack.all('AWS::ApiGateway::GatewayResponse', properties.GatewayResponseProperties);
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
    for (const { logicalId, properties: method } of ours(methods)) {
      const integration =
        method.Integration.Type === 'MOCK'
          ? mockIntegration(method.Integration, logicalId)
          : new LambdaIntegration(method.Integration, lambda, api.properties.BinaryMediaTypes);
      routes.add(method.ResourceId, method.HttpMethod, integration);
    }
    const gatewayResponses = new GatewayResponses(ours(answers).map((one) => one.properties));
    return new RestApi({ stack, api, routes, stages: ours(stages), gatewayResponses, principals, log });
  });
  return new Map(apis.map((api) => [api.id, api]));
}

interface Parts {
  readonly stack: Stack;
  readonly api: Definition<typeof properties.RestApiProperties>;
  readonly routes: Routes<Integration>;
  readonly stages: readonly Definition<typeof properties.StageProperties>[];
  readonly gatewayResponses: GatewayResponses;
  readonly principals: Principals;
  readonly log: (line: string) => void;
}

/** One REST API with its stages, as its own host name serves it. */
export class RestApi {
  readonly id: string;
  readonly domainName: string;
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.id = parts.api.ref;
    this.domainName = `${this.id}.execute-api.${parts.stack.target.region}.amazonaws.com`;
    this.parts = parts;
  }

  /** Answers a request whose path begins with the stage's name. */
  async handle(request: HttpRequest): Promise<HttpResponse> {
    const requestId = randomUUID();
    const response = await this.route(request, requestId);
    const headers = withoutHeaders(response.headers, [...HOP_BY_HOP, 'content-length']).map(
      ([name, value]) =>
        [REMAPPED.includes(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name, value] as const,
    );
    return { ...response, headers: [...headers, ['x-amzn-RequestId', requestId]] };
  }

  private async route(request: HttpRequest, requestId: string): Promise<HttpResponse> {
    const { routes, stages, gatewayResponses } = this.parts;
    const [, stageName = '', path = '/'] = /^\/([^/]*)(\/.*)?$/.exec(request.path) ?? [];
    const stage = stages.find((one) => one.properties.StageName === stageName);
    // Without a stage there is no API whose gateway responses could apply.
    if (stage === undefined) return jsonResponse(403, { message: 'Forbidden' }, 'API Gateway');
    const match = routes.match(path);
    const integration = match?.methods.get(request.method) ?? match?.methods.get('ANY');
    if (match === undefined || integration === undefined) {
      return gatewayResponses.answer('MISSING_AUTHENTICATION_TOKEN', requestId, 'API Gateway');
    }
    const body = await readBody(request, BODY_LIMIT);
    if (body === undefined) return tooLong();
    if (!(integration instanceof LambdaIntegration)) return integration;
    return this.invoke(integration, request, path, body, match, stage, requestId);
  }

  private async invoke(
    integration: LambdaIntegration,
    request: HttpRequest,
    path: string,
    body: Buffer,
    match: Match<Integration>,
    stage: Definition<typeof properties.StageProperties>,
    requestId: string,
  ): Promise<HttpResponse> {
    const { stack, api, principals, gatewayResponses, log } = this.parts;
    const { accountId, region } = stack.target;
    const event = proxyEvent(request, path, body, match, {
      accountId,
      apiId: this.id,
      domainName: this.domainName,
      stage: stage.properties.StageName,
      stageVariables: stage.properties.Variables,
      requestId,
      binaryMediaTypes: api.properties.BinaryMediaTypes,
    });
    const method = `arn:aws:execute-api:${region}:${accountId}:${this.id}/${stage.properties.StageName}/${request.method}${match.resourcePath}`;
    try {
      return await integration.respond(event, {
        credentials: principals.get('apigateway.amazonaws.com'),
        actions: { 'lambda:InvokeFunction': { 'aws:SourceArn': method, 'aws:SourceAccount': accountId } },
      });
    } catch (error) {
      if (!(error instanceof IntegrationError)) throw error;
      log(`API Gateway: ${request.method} ${path}: ${error.message}`);
      if (error.type === 'too large') return tooLong();
      return gatewayResponses.answer(error.type, requestId, 'API Gateway');
    }
  }
}

/** AWS answers oversized requests before it looks at gateway responses, so the template cannot reword this one. */
function tooLong(): HttpResponse {
  return jsonResponse(413, { message: 'Request Too Long' }, 'API Gateway');
}
