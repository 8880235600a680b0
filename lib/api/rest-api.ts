import { Duration } from 'aws-cdk-lib';
import {
  EndpointType,
  LambdaIntegration,
  type Resource,
  ResponseTransferMode,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { Staging } from '../deployments/staging.ts';
import { addGatewayResponses } from './gateway-responses.ts';

export interface ApiProps {
  readonly generation: IFunction;
  readonly deployments: IFunction;
  /** Stores large bodies of deploys without a function. */
  readonly staging: Staging;
  readonly assets: IFunction;
  /** Handles usage and all remaining paths. */
  readonly fallback: IFunction;
  /** How long the generation function may hold a request. */
  readonly hold: Duration;
  readonly rateLimit: StageConfig['rateLimit'];
}

/**
 * The name of the API's stage. The distribution's origin uses this literal and the API's id, because `RestApi.url` depends
 * on the methods and functions, and functions depend on the distribution.
 */
export const STAGE = 'api';

/**
 * The API in API Gateway. One function handles all methods of a path, so that 404, 405, preflights and trailing slashes
 * are handled in its pipeline.
 */
export class Api extends Construct {
  readonly restApi: RestApi;

  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id);
    this.restApi = new RestApi(this, 'RestApi', {
      endpointTypes: [EndpointType.REGIONAL],
      // Compressed bodies would be damaged if they were decoded as text.
      binaryMediaTypes: ['*/*'],
      deployOptions: { stageName: STAGE },
      // It is a setting of the whole account and region.
      cloudWatchRole: false,
    });
    this.#routes(props);
    addGatewayResponses(this.restApi, props.rateLimit);
  }

  #routes({ generation, deployments, staging, assets, fallback, hold }: ApiProps): void {
    const api = this.restApi.root.addResource('api');
    const v1 = api.addResource('v1');
    this.#route(v1.addResource('generate'), generation, hold);
    this.#route(v1.addResource('generations').addResource('{proxy+}'), generation, hold);
    const deploy = v1.addResource('deploy');
    this.#route(deploy, deployments);
    const staged = deploy.addResource('staged');
    staged.addMethod('POST', staging.integration, staging.method);
    this.#route(staged.addResource('{id}'), deployments);
    this.#route(v1.addResource('deployments').addResource('{proxy+}'), deployments);
    this.#route(v1.addResource('assets').addResource('{proxy+}'), assets);
    this.#route(v1.addResource('{proxy+}'), fallback);
    this.#route(api.addResource('{proxy+}'), fallback);
  }

  /** Streams responses, so that a function can respond after more than 29 s and continue after its response. */
  #route(resource: Resource, fn: IFunction, timeout = Duration.seconds(29)): void {
    const responseTransferMode = ResponseTransferMode.STREAM;
    const integration = new LambdaIntegration(fn, { allowTestInvoke: false, responseTransferMode, timeout });
    resource.addMethod('ANY', integration);
  }
}
