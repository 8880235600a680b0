import { DefinitionBody, Errors, JitterType, StateMachine, Succeed, TaskInput } from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ENV } from '../../lambda/platform/env.ts';
import type { Concurrency } from '../config-sections.ts';
import type { Looks } from '../look.ts';
import { BundledFunction } from '../platform/bundled-function.ts';
import { executionLogs } from '../platform/executions.ts';
import type { Deployments } from './deployments.ts';

/**
 * While no browser is free, a look is repeated for up to four minutes, besides the time that each try takes. Full jitter spreads
 * the looks of a burst of deploys. `LOOKING_MS` of lambda/deployments/looks/version-looks.ts is longer than all of it.
 */
const RETRY = {
  errors: [Errors.ALL],
  interval: Duration.seconds(2),
  backoffRate: 2,
  maxDelay: Duration.minutes(1),
  maxAttempts: 8,
  jitterStrategy: JitterType.FULL,
};

/** Has a browser look at each version after it was deployed, in the background: one execution each. */
export class DeploymentLooks extends Construct {
  readonly #skipped: string | undefined;
  readonly #stateMachine: StateMachine | undefined;

  constructor(scope: Construct, id: string, deployments: Deployments, looks: Looks, concurrency: Concurrency) {
    super(scope, id);
    this.#skipped = looks.skipped;
    if (looks.skipped !== undefined) return;
    const fn = new BundledFunction(this, 'LookDeployment', {
      entry: 'deployments/looks/look-deployment.handler',
      description: 'Has a browser look at a deployed version',
      // Longer than a look with its waits (`LOOK_SECONDS`): it also reads the site, and stores the pictures.
      timeout: Duration.seconds(90),
      // It waits for a browser: deploys leave the others to generations, which people wait for.
      concurrency: concurrency.deploymentLooks,
      isPatient: true,
    });
    looks.grantLook(fn, 'deploymentLooks');
    deployments.grantLook(fn);
    this.#stateMachine = new StateMachine(this, 'StateMachine', {
      definitionBody: this.#definition(fn),
      logs: executionLogs(this),
    });
  }

  /** Lets a function start looks, or tells it why there are none. */
  grantStart(fn: BundledFunction): void {
    if (this.#skipped !== undefined) fn.addEnvironment(ENV.lookSkipped, this.#skipped);
    if (!this.#stateMachine) return;
    fn.addEnvironment(ENV.looksArn, this.#stateMachine.stateMachineArn);
    this.#stateMachine.grantStartExecution(fn);
  }

  #definition(fn: BundledFunction): DefinitionBody {
    const invocation = {
      lambdaFunction: fn,
      payload: TaskInput.fromJsonPathAt('$'),
      retryOnServiceExceptions: false,
    };
    // The error is in its input: it stores that the look failed. Enough deploys at once throttle all tries of it, and anyone can send
    // them: no alarm may follow. The look counts as failed after `LOOKING_MS` then, without a stored reason.
    const giveUp = new LambdaInvoke(this, 'GiveUp', invocation)
      .addRetry(RETRY)
      .addCatch(new Succeed(this, 'NotStored'), { errors: ['Lambda.TooManyRequestsException'] });
    const look = new LambdaInvoke(this, 'Look', invocation).addRetry(RETRY);
    return DefinitionBody.fromChainable(look.addCatch(giveUp, { resultPath: '$.error' }));
  }
}
