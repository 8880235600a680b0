import {
  AccessLogFormat,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  ResponseTransferMode,
  ResponseType,
  RestApi,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import { CfnPermission, type IFunction, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Aws, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { CHALLENGE } from '../lambda/access/viewer-address.ts';
import { contextKey, RATE_LIMIT_HEADERS, rateLimitPolicy } from '../lambda/contract/headers.ts';
import { RATE_LIMIT_DOCS } from '../lambda/contract/limits.ts';
import { ENV } from '../lambda/platform/env.ts';
import type { StageConfig } from './config.ts';
import type { Staging } from './deployments/staging.ts';

interface ApiProps {
  readonly generation: IFunction;
  readonly deployments: IFunction;
  /** Stores large bodies of deploys without a function. */
  readonly staging: Staging;
  readonly assets: IFunction;
  /** Takes reports, from programs and from the form of the page `/report`. */
  readonly reports: IFunction;
  /** Serves the data of sites; undefined if the stage has none. */
  readonly data: IFunction | undefined;
  /** Serves agents. It calls this API: its environment gets the URL. */
  readonly mcp: LambdaFunction;
  /** Handles usage and all remaining paths. */
  readonly usage: IFunction;
  /** How long the generation function may hold a request. */
  readonly hold: Duration;
  readonly rateLimit: StageConfig['rateLimit'];
  readonly throttle: StageConfig['throttle'];
  readonly logs: StageConfig['logs'];
}

/**
 * The name of the API's stage. The distribution's origin uses this literal and the API's id, because `RestApi.url` depends
 * on the methods and functions, and functions depend on the distribution.
 */
export const STAGE = 'api';

/**
 * The API in API Gateway. One function handles all methods of a path, so that 404, 405, preflights and trailing slashes
 * are handled in its pipeline. Only generations stream; their preflights, which have no body, go to a buffered function.
 */
export class Api extends Construct {
  readonly restApi: RestApi;

  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id);
    const { cloudWatchRole, deployOptions } = accessLogs(this, props.logs.api);
    this.restApi = new RestApi(this, 'RestApi', {
      // The metrics of a stage have no other name.
      restApiName: Stack.of(this).stackName,
      endpointTypes: [EndpointType.REGIONAL],
      // Compressed bodies would be damaged if they were decoded as text.
      binaryMediaTypes: ['*/*'],
      deployOptions: { stageName: STAGE, ...stageThrottle(props), ...deployOptions },
      cloudWatchRole,
    });
    this.#routes(props);
    this.#deployAfterPermissions();
    // `RestApi.url` would depend on the methods, and so on this function.
    props.mcp.addEnvironment(ENV.apiUrl, `https://${this.host}/${STAGE}`);
    addGatewayResponses(this.restApi, props.rateLimit);
  }

  /** The name of the API in API Gateway. */
  get host(): string {
    return `${this.restApi.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`;
  }

  /** Otherwise, an update could send requests to a function or alias before the API is allowed to invoke it. */
  #deployAfterPermissions(): void {
    const permissions = this.restApi.node.findAll().filter((one) => one instanceof CfnPermission);
    this.restApi.latestDeployment?.node.addDependency(...permissions);
  }

  #routes({ generation, deployments, staging, assets, reports, data, mcp, usage, hold }: ApiProps): void {
    const { root } = this.restApi;
    root.addResource('mcp').addMethod('ANY', bufferedIntegration(mcp));
    root.addResource('report').addMethod('ANY', bufferedIntegration(reports));
    if (data) {
      const sites = root.addResource('data');
      sites.addMethod('ANY', bufferedIntegration(data));
      sites.addResource('{proxy+}').addMethod('ANY', bufferedIntegration(data));
    }
    const api = root.addResource('api');
    const v1 = api.addResource('v1');
    const generations = v1.addResource('generations');
    const proxy = generations.addResource('{proxy+}');
    for (const path of [v1.addResource('generate'), generations, proxy, v1.addResource('providers')]) {
      path.addMethod('ANY', streamIntegration(generation, hold));
      path.addMethod('OPTIONS', bufferedIntegration(usage));
    }
    const deploy = v1.addResource('deploy');
    deploy.addMethod('ANY', bufferedIntegration(deployments));
    const staged = deploy.addResource('staged');
    staged.addMethod('POST', staging.integration, staging.method);
    staged.addResource('{id}').addMethod('ANY', bufferedIntegration(deployments));
    const deployment = v1.addResource('deployments');
    for (const path of [deployment, deployment.addResource('{proxy+}'), v1.addResource('builds')])
      path.addMethod('ANY', bufferedIntegration(deployments));
    v1.addResource('reports').addMethod('ANY', bufferedIntegration(reports));
    const asset = v1.addResource('assets');
    asset.addResource('{proxy+}').addMethod('ANY', bufferedIntegration(assets));
    // API Gateway rejects a request for a resource without its method with an error about SigV4.
    const all = [root, api, v1].map((resource) => resource.addResource('{proxy+}'));
    for (const resource of [root, api, v1, asset, staged, ...all])
      resource.addMethod('ANY', bufferedIntegration(usage));
  }
}

/**
 * Returns the throttling of a stage: a token bucket for each path and HTTP method, which all callers share. The settings of a method
 * name the method of the request, even where the API has `ANY`.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
 */
function stageThrottle({ throttle, data }: Pick<ApiProps, 'throttle' | 'data'>): StageOptions {
  const deploy = { throttlingRateLimit: throttle.deployRate, throttlingBurstLimit: throttle.deployBurst };
  const reads = { throttlingRateLimit: throttle.dataRate, throttlingBurstLimit: throttle.dataBurst };
  const report = { throttlingRateLimit: throttle.reportRate, throttlingBurstLimit: throttle.reportBurst };
  return {
    throttlingRateLimit: throttle.rate,
    throttlingBurstLimit: throttle.burst,
    methodOptions: {
      '/api/v1/generate/POST': {
        throttlingRateLimit: throttle.generateRate,
        throttlingBurstLimit: throttle.generateBurst,
      },
      '/api/v1/deploy/POST': deploy,
      '/api/v1/builds/POST': deploy,
      ...(data && { '/data/{proxy+}/GET': reads }),
      '/api/v1/reports/POST': report,
      '/report/POST': report,
      // The body, and the deploy of it.
      '/api/v1/deploy/staged/POST': deploy,
      '/api/v1/deploy/staged/{id}/GET': deploy,
      '/api/v1/deploy/staged/{id}/POST': deploy,
    },
  };
}

/**
 * The timeout is the maximum without a quota increase. A permission per method could exceed the maximum size of a function's policy,
 * and would be created after the stage, which it references.
 */
const bufferedIntegration = (fn: IFunction) =>
  new LambdaIntegration(fn, {
    scopePermissionToMethod: false,
    timeout: Duration.seconds(29),
  });

/** Responses may begin after 29 s and exceed 6 MB. They must have a body. */
const streamIntegration = (fn: IFunction, timeout: Duration) =>
  new LambdaIntegration(fn, {
    scopePermissionToMethod: false,
    responseTransferMode: ResponseTransferMode.STREAM,
    timeout,
  });

/**
 * One JSON line per request. `requestId` matches the lines of functions and `X-Request-Id`. Paths, which contain the ids of anonymous
 * generations, and queries are not logged, nor is the address, which would be CloudFront's.
 */
const LINE = {
  requestId: '$context.extendedRequestId',
  time: '$context.requestTimeEpoch',
  method: '$context.httpMethod',
  resource: '$context.resourcePath',
  status: '$context.status',
  ms: '$context.responseLatency',
  bytes: '$context.responseLength',
  integrationStatus: '$context.integration.status',
  integrationMs: '$context.integration.latency',
  errorType: '$context.error.responseType',
};

/** Returns the logging options of an API: with `enabled`, its stage logs requests, which needs a role of the whole account. */
function accessLogs(
  scope: Construct,
  enabled: boolean,
): { readonly cloudWatchRole: boolean; readonly deployOptions?: StageOptions } {
  if (!enabled) return { cloudWatchRole: false };
  const logGroup = new LogGroup(scope, 'AccessLogs', { removalPolicy: RemovalPolicy.DESTROY });
  return {
    cloudWatchRole: true,
    deployOptions: {
      accessLogDestination: new LogGroupLogDestination(logGroup),
      accessLogFormat: AccessLogFormat.custom(JSON.stringify(LINE)),
    },
  };
}

interface GatewayError {
  readonly type: ResponseType;
  /** By default, the status of the type. */
  readonly statusCode?: string;
  /** A JSON string, or a variable that expands to one. */
  readonly error: string;
  /** More members of the body. */
  readonly members?: string;
  /** Mapping expressions by header. */
  readonly headers?: Readonly<Record<string, string>>;
}

const THROTTLED: GatewayError = {
  type: ResponseType.THROTTLED,
  error: '"The service is over its overall request limit. Try again in 1 s"',
  members: `,"retryAfter":1,"docs":"${RATE_LIMIT_DOCS}"`,
  headers: { 'Retry-After': "'1'" },
};

/** The responses for the authorizer, which only the method for large bodies has; the functions use the same words. */
const ofAuthorizer = ({ anonymous, windowSeconds }: StageConfig['rateLimit']): readonly GatewayError[] => [
  {
    type: ResponseType.ACCESS_DENIED,
    statusCode: '429',
    error: '"$context.authorizer.error"',
    members: `,"retryAfter":$context.authorizer.retryAfter,"docs":"${RATE_LIMIT_DOCS}"`,
    headers: {
      'Retry-After': 'context.authorizer.retryAfter',
      ...Object.fromEntries(RATE_LIMIT_HEADERS.map((name) => [name, `context.authorizer.${contextKey(name)}`])),
    },
  },
  {
    // This response has no context, so it names all possible reasons. The request counts for the address, whose limit is
    // known, but not how much of it remains.
    type: ResponseType.UNAUTHORIZED,
    error: '"The API key or access token is not valid: mistyped, unknown, revoked or expired, or not the only one"',
    headers: {
      'WWW-Authenticate': `'${CHALLENGE}, error="invalid_token"'`,
      'X-RateLimit-Limit': `'${anonymous}'`,
      'RateLimit-Policy': `'${rateLimitPolicy(anonymous, windowSeconds)}'`,
    },
  },
  // AWS does not document which of the two occurs when the authorizer cannot reach its tables.
  ...[ResponseType.AUTHORIZER_FAILURE, ResponseType.AUTHORIZER_CONFIGURATION_ERROR].map((type) => ({
    type,
    statusCode: '502',
    error: '"The deployment backend is unreachable; nothing was changed. Try again in a few seconds"',
    headers: { 'Retry-After': "'2'" },
  })),
];

const gatewayErrors = (rateLimit: StageConfig['rateLimit']): readonly GatewayError[] => [
  // Every path has a method (rest-api.ts), and none is signed: these are left for HTTP methods that API Gateway does not know.
  ...[ResponseType.MISSING_AUTHENTICATION_TOKEN, ResponseType.INVALID_SIGNATURE, ResponseType.EXPIRED_TOKEN].map(
    (type) => ({
      type,
      statusCode: '404',
      error: '"There is no such route; the API is under /api/v1"',
    }),
  ),
  THROTTLED,
  ...ofAuthorizer(rateLimit),
  { type: ResponseType.DEFAULT_4XX, error: '$context.error.messageString' },
  {
    type: ResponseType.INTEGRATION_FAILURE,
    statusCode: '502',
    error: '"The service did not respond; try again in a few seconds"',
    headers: { 'Retry-After': "'2'" },
  },
  {
    type: ResponseType.INTEGRATION_TIMEOUT,
    error: '"The service did not respond in time; try again in a few seconds"',
  },
  {
    // A function that failed, or all of whose concurrency is in use. AWS does not document whether the latter is this type or
    // INTEGRATION_FAILURE.
    type: ResponseType.DEFAULT_5XX,
    statusCode: '503',
    error: '"The service could not handle the request; try again in a few seconds"',
    members: ',"retryAfter":2',
    headers: { 'Retry-After': "'2'" },
  },
];

/**
 * Gives API Gateway's own errors the format of all other errors. A template can only expand variables, and each type has
 * one status.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-gatewayResponse-definition.html
 */
function addGatewayResponses(restApi: RestApi, rateLimit: StageConfig['rateLimit']): void {
  for (const { type, statusCode, error, members = '', headers = {} } of gatewayErrors(rateLimit))
    restApi.addGatewayResponse(`Response${type.responseType}`, {
      type,
      ...(statusCode ? { statusCode } : {}),
      responseHeaders: {
        'Access-Control-Allow-Origin': "'*'",
        'Access-Control-Expose-Headers': "'*'",
        ...headers,
      },
      templates: { 'application/json': `{"error":${error}${members}}` },
    });
}
