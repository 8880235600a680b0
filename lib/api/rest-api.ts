import {
  EndpointType,
  LambdaIntegration,
  ResponseTransferMode,
  RestApi,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import { CfnPermission, type IFunction, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Aws, Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ENV } from '../../lambda/platform/env.ts';
import type { StageConfig } from '../config.ts';
import type { Staging } from '../deployments/staging.ts';
import { accessLogs } from './access-logs.ts';
import { addGatewayResponses } from './gateway-responses.ts';

export interface ApiProps {
  readonly generation: IFunction;
  readonly deployments: IFunction;
  /** Stores large bodies of deploys without a function. */
  readonly staging: Staging;
  readonly assets: IFunction;
  /** Takes reports, from programs and from the form of the page `/report`. */
  readonly reports: IFunction;
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
      deployOptions: { stageName: STAGE, ...stageThrottle(props.throttle), ...deployOptions },
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

  #routes({ generation, deployments, staging, assets, reports, mcp, usage, hold }: ApiProps): void {
    const { root } = this.restApi;
    root.addResource('mcp').addMethod('ANY', bufferedIntegration(mcp));
    root.addResource('report').addMethod('ANY', bufferedIntegration(reports));
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
function stageThrottle(throttle: StageConfig['throttle']): StageOptions {
  const deploy = { throttlingRateLimit: throttle.deployRate, throttlingBurstLimit: throttle.deployBurst };
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
