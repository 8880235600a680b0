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
  /** Takes large bodies of deploys without a function. */
  readonly staging: Staging;
  readonly assets: IFunction;
  /** Answers every path that no other function has. */
  readonly fallback: IFunction;
  /** How long the generation function may hold a request. */
  readonly hold: Duration;
  readonly rateLimit: StageConfig['rateLimit'];
}

/**
 * The stage's name as a literal: the distribution's origin is built from it and the API's id, so that a function
 * may know the distribution without a cycle (`RestApi.url` would pull in the methods, and so the functions).
 */
export const STAGE = 'api';

/**
 * API Gateway. Every path belongs to one function with all its methods, so that the function answers 404, 405 and
 * preflights as the pipeline does, and a trailing slash is a matter of its router (`{proxy+}`).
 */
export class Api extends Construct {
  readonly restApi: RestApi;

  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id);
    this.restApi = new RestApi(this, 'RestApi', {
      endpointTypes: [EndpointType.REGIONAL],
      // Bodies arrive as they were sent: compressed ones would be damaged as text.
      binaryMediaTypes: ['*/*'],
      deployOptions: { stageName: STAGE },
      // A setting of the whole account and region, which is not ours to change.
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

  /** Streamed, so that a function may go on once its answer has gone out, and answer later than after 29 s. */
  #route(resource: Resource, fn: IFunction, timeout = Duration.seconds(29)): void {
    const responseTransferMode = ResponseTransferMode.STREAM;
    const integration = new LambdaIntegration(fn, { allowTestInvoke: false, responseTransferMode, timeout });
    resource.addMethod('ANY', integration);
  }
}
