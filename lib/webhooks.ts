import { AttributeType, type TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import {
  Choice,
  Condition,
  DefinitionBody,
  Fail,
  StateMachine,
  Succeed,
  TaskInput,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ENV } from '../lambda/platform/env.ts';
import type { StageConfig } from './config.ts';
import type { Concurrency } from './config-sections.ts';
import { BundledFunction } from './platform/bundled-function.ts';
import { executionLogs, RETRY_FOR_AN_HOUR } from './platform/executions.ts';
import { DataTable, type Protection } from './platform/storage.ts';

/** Delivers notifications: one execution each, which repeats the attempt for about a day. */
export class Webhooks extends Construct {
  /** The secrets that sign notifications; of the functions, only the one that delivers has access. */
  readonly secrets: TableV2;
  readonly stateMachine: StateMachine;
  readonly #deliver: BundledFunction;
  readonly #allowPrivate: string;

  constructor(
    scope: Construct,
    id: string,
    config: Protection & Pick<StageConfig, 'webhooks'>,
    concurrency: Concurrency,
  ) {
    super(scope, id);
    const { allowPrivateAddresses, retrySeconds } = config.webhooks;
    this.#allowPrivate = JSON.stringify(allowPrivateAddresses);
    this.secrets = new DataTable(this, 'Secrets', config, {
      partitionKey: { name: 'owner', type: AttributeType.STRING },
    });
    this.#deliver = new BundledFunction(this, 'Deliver', {
      entry: 'webhooks/deliver.handler',
      description: 'Makes one attempt to deliver a notification',
      // Longer than it waits for the receiver and for DynamoDB.
      timeout: Duration.seconds(30),
      concurrency: concurrency.webhooks,
      isPatient: true,
    });
    this.#deliver.addEnvironment(ENV.webhookSecretsTable, this.secrets.tableName);
    this.#deliver.addEnvironment(ENV.webhookRetrySeconds, JSON.stringify(retrySeconds));
    this.secrets.grant(this.#deliver, 'dynamodb:UpdateItem');
    this.grantAccept(this.#deliver);
    this.stateMachine = new StateMachine(this, 'StateMachine', {
      definitionBody: this.#definition(),
      logs: executionLogs(this),
    });
  }

  /** Tells a function which URLs requests may name. */
  grantAccept(fn: LambdaFunction): void {
    fn.addEnvironment(ENV.allowPrivateWebhooks, this.#allowPrivate);
  }

  grantStart(fn: LambdaFunction): void {
    fn.addEnvironment(ENV.deliveriesArn, this.stateMachine.stateMachineArn);
    this.stateMachine.grantStartExecution(fn);
  }

  /** Tells receivers where the resources are. */
  publishAt(baseUrl: string): void {
    this.#deliver.addEnvironment(ENV.baseUrl, baseUrl);
  }

  #definition(): DefinitionBody {
    // A receiver that fails is not an error.
    const attempt = new LambdaInvoke(this, 'Attempt', {
      lambdaFunction: this.#deliver,
      payload: TaskInput.fromJsonPathAt('$'),
      outputPath: '$.Payload',
      retryOnServiceExceptions: false,
    }).addRetry(RETRY_FOR_AN_HOUR);
    const pause = new Wait(this, 'Pause', { time: WaitTime.secondsPath('$.waitSeconds') });
    const next = new Choice(this, 'NextAttempt')
      .when(Condition.stringEquals('$.status', 'waiting'), pause.next(attempt))
      .when(Condition.stringEquals('$.status', 'failed'), new Fail(this, 'NotDelivered'))
      .otherwise(new Succeed(this, 'Over'));
    return DefinitionBody.fromChainable(attempt.next(next));
  }
}
