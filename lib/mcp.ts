import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ENV } from '../lambda/platform/env.ts';
import type { Concurrency } from './config-sections.ts';
import { BundledFunction } from './platform/bundled-function.ts';

/**
 * Serves agents at `/mcp`. The function calls the API with the credentials of its callers, so its role may only write its log.
 * It passes on the headers in which the distribution names the viewer, for whose address the API counts.
 */
export class Mcp extends Construct {
  readonly server: BundledFunction;

  constructor(
    scope: Construct,
    id: string,
    { apiGatewayDoor, concurrency }: { readonly apiGatewayDoor: boolean; readonly concurrency: Concurrency },
  ) {
    super(scope, id);
    this.server = new BundledFunction(this, 'Server', {
      entry: 'mcp/api.handler',
      description: 'Serves agents by the Model Context Protocol',
      timeout: Duration.seconds(29),
      concurrency: concurrency.agents,
    });
    this.server.addEnvironment(ENV.apiGatewayDoor, JSON.stringify(apiGatewayDoor));
  }
}
