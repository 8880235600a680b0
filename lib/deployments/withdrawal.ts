import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { DefinitionBody, StateMachine, TaskInput } from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ENV } from '../../lambda/platform/env.ts';
import type { Concurrency } from '../config-sections.ts';
import { BundledFunction } from '../platform/bundled-function.ts';
import { executionLogs, RETRY_FOR_AN_HOUR } from '../platform/executions.ts';
import { tenantsArn } from './domains.ts';

/**
 * Removes a deleted deployment from the edge in the background: invalidates its cache tag, and waits until the invalidation
 * has completed. Retries for about an hour, because CloudFront limits how many invalidations are in progress.
 */
export class Withdrawal extends Construct {
  readonly #fn: BundledFunction;
  readonly #stateMachine: StateMachine;

  constructor(scope: Construct, id: string, concurrency: Concurrency) {
    super(scope, id);
    this.#fn = new BundledFunction(this, 'Withdraw', {
      entry: 'deployments/copies/withdraw.handler',
      description: 'Removes a deleted deployment from the edge',
      // Longer than it waits for the invalidation.
      timeout: Duration.seconds(75),
      concurrency: concurrency.invalidations,
      isPatient: true,
    });
    const task = new LambdaInvoke(this, 'Invalidate', {
      lambdaFunction: this.#fn,
      payload: TaskInput.fromJsonPathAt('$'),
      retryOnServiceExceptions: false,
    }).addRetry(RETRY_FOR_AN_HOUR);
    this.#stateMachine = new StateMachine(this, 'StateMachine', {
      definitionBody: DefinitionBody.fromChainable(task),
      logs: executionLogs(this),
    });
  }

  grantStart(fn: LambdaFunction): void {
    fn.addEnvironment(ENV.withdrawalArn, this.#stateMachine.stateMachineArn);
    this.#stateMachine.grantStartExecution(fn);
  }

  /** Lets withdrawals invalidate what the tenants of the stack have cached. */
  grantTenants(): void {
    this.#fn.addToRolePolicy(
      new PolicyStatement({
        actions: [
          'cloudfront:CreateInvalidationForDistributionTenant',
          'cloudfront:GetInvalidationForDistributionTenant',
        ],
        resources: [tenantsArn()],
      }),
    );
  }

  /** Lets withdrawals invalidate what a distribution has cached. */
  grantInvalidation(pages: Distribution): void {
    this.#fn.addEnvironment(ENV.distributionId, pages.distributionId);
    this.#fn.addToRolePolicy(
      new PolicyStatement({
        actions: ['cloudfront:CreateInvalidation', 'cloudfront:GetInvalidation'],
        resources: [pages.distributionArn],
      }),
    );
  }
}
