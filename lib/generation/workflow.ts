import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import {
  Choice,
  Condition,
  DefinitionBody,
  Errors,
  Fail,
  type IStateMachine,
  JitterType,
  JsonPath,
  Pass,
  Result,
  type RetryProps,
  StateMachine,
  Succeed,
  TaskInput,
  Timeout,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke, type LambdaInvokeProps, StepFunctionsStartExecution } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { WORKFLOW_ERRORS } from '../../lambda/generation/generation.ts';
import { executionLogs } from '../platform/executions.ts';

interface WorkflowProps {
  readonly attempt: IFunction;
  readonly settle: IFunction;
  readonly deploy: IFunction;
  /** Delivers notifications. */
  readonly deliveries: IStateMachine;
  readonly attemptTimeout: Duration;
}

/**
 * Retries for about a minute while all of a function's concurrency is in use. With full jitter a pause is between nothing and 1, 2,
 * 4, then 8 s, so 20 of them take 70 s on average, and executions that wait at the same time do not retry at the same time.
 */
const WHILE_THROTTLED: RetryProps = {
  errors: ['Lambda.TooManyRequestsException'],
  interval: Duration.seconds(1),
  backoffRate: 2,
  maxDelay: Duration.seconds(8),
  maxAttempts: 20,
  jitterStrategy: JitterType.FULL,
};

const AFTER_SERVICE_ERRORS: RetryProps = {
  errors: ['Lambda.ServiceException', 'Lambda.SdkClientException'],
  interval: Duration.seconds(1),
  backoffRate: 2,
  maxAttempts: 3,
  jitterStrategy: JitterType.FULL,
};

/**
 * The generation as a loop: make an attempt, and settle it when it times out or fails. Either function returns whether another
 * attempt follows, after a wait if a provider asked for one; its kind and provider are on the generation's item. The number of providers and attempts is data, not
 * states. A complete generation is then deployed if its request asked for it.
 */
export class Workflow extends Construct {
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, id: string, props: WorkflowProps) {
    super(scope, id);
    const attempt = this.#invoke('Attempt', props.attempt, {
      taskTimeout: Timeout.duration(props.attemptTimeout),
    });
    // Retries only errors of the Lambda service: after a provider's failure, another provider is next.
    for (const retry of [WHILE_THROTTLED, AFTER_SERVICE_ERRORS]) attempt.addRetry(retry);
    const settle = this.#settle('SettleAttempt', props.settle);
    const settleDeploy = this.#settle('SettleDeploy', props.settle);
    const deploy = this.#invoke('Deploy', props.deploy)
      .addRetry(WHILE_THROTTLED)
      .addRetry({
        errors: [Errors.ALL],
        interval: Duration.seconds(1),
        backoffRate: 2,
        maxAttempts: 4,
      });
    // Without an outcome, the deploy counts as failed.
    deploy.addCatch(settleDeploy, { errors: [Errors.ALL], resultPath: '$.failure' });
    deploy.next(settleDeploy);
    const notify = this.#notify(props.deliveries);
    const wait = new Wait(this, 'WaitForProvider', { time: WaitTime.secondsPath('$.waitSeconds') });
    const over = new Succeed(this, 'Over');
    const next = new Choice(this, 'NextAttempt')
      .when(Condition.isPresent('$.waitSeconds'), wait.next(attempt))
      .when(Condition.stringEquals('$.status', 'running'), attempt)
      .when(Condition.stringEquals('$.status', 'deploying'), deploy)
      .when(Condition.and(Condition.isPresent('$.delivery'), Condition.not(Condition.isPresent('$.notified'))), notify)
      // Failed executions page the operator, and anyone can send such prompts.
      .when(Condition.isPresent('$.causedByPrompt'), over)
      .when(Condition.stringEquals('$.status', 'timed_out'), this.#fail(WORKFLOW_ERRORS.generationTimedOut))
      .when(Condition.stringEquals('$.status', 'failed'), this.#fail(WORKFLOW_ERRORS.allProvidersFailed))
      .otherwise(over);
    const caught = { resultPath: '$.failure' };
    attempt
      .addCatch(this.#outcome('timed_out').next(settle), {
        errors: [Errors.TIMEOUT, WORKFLOW_ERRORS.providerTimedOut],
        ...caught,
      })
      .addCatch(this.#outcome('failed').next(settle), { errors: [Errors.ALL], ...caught })
      .next(next);
    settle.next(next);
    settleDeploy.next(next);
    notify.addCatch(next, { resultPath: '$.notified' }).next(next);
    // Standard, the default: an Express workflow ends after five minutes.
    this.stateMachine = new StateMachine(this, 'StateMachine', {
      definitionBody: DefinitionBody.fromChainable(attempt),
      logs: executionLogs(this),
    });
    this.#settleDeadExecutions(props.settle);
  }

  /**
   * No state can catch what ends an execution from outside, nor `States.DataLimitExceeded`. Step Functions sends these events with
   * best effort: `asOf` ends what none arrives for. A generation that failed also ends its execution as FAILED; its event changes
   * nothing.
   */
  #settleDeadExecutions(settle: IFunction): void {
    new Rule(this, 'ExecutionDied', {
      description: 'Settles generations whose execution died',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: {
          stateMachineArn: [this.stateMachine.stateMachineArn],
          status: ['FAILED', 'TIMED_OUT', 'ABORTED'],
        },
      },
      targets: [new LambdaFunction(settle)],
    });
  }

  #invoke(id: string, lambdaFunction: IFunction, props: Pick<LambdaInvokeProps, 'taskTimeout'> = {}) {
    return new LambdaInvoke(this, id, {
      lambdaFunction,
      payload: TaskInput.fromJsonPathAt('$'),
      outputPath: '$.Payload',
      retryOnServiceExceptions: false,
      ...props,
    });
  }

  /**
   * A generation that is not settled would never end, so this outlasts an outage of four minutes. It has one retrier: of several,
   * Step Functions applies only the first that matches an error.
   */
  #settle(id: string, lambdaFunction: IFunction) {
    return this.#invoke(id, lambdaFunction).addRetry({
      errors: [Errors.ALL],
      interval: Duration.seconds(1),
      backoffRate: 2,
      maxDelay: Duration.seconds(30),
      maxAttempts: 12,
    });
  }

  /** Starts the delivery of the notification. If that fails, the generation ends nevertheless. */
  #notify(stateMachine: IStateMachine) {
    return new StepFunctionsStartExecution(this, 'Notify', {
      stateMachine,
      name: JsonPath.stringAt('$.delivery.id'),
      input: TaskInput.fromJsonPathAt('$.delivery'),
      resultPath: '$.notified',
    }).addRetry({ errors: [Errors.ALL], interval: Duration.seconds(1), backoffRate: 2, maxAttempts: 6 });
  }

  #outcome(outcome: 'timed_out' | 'failed'): Pass {
    const id = outcome === 'timed_out' ? 'AttemptTimedOut' : 'AttemptFailed';
    return new Pass(this, id, { result: Result.fromString(outcome), resultPath: '$.outcome' });
  }

  #fail(error: string): Fail {
    return new Fail(this, error, { error });
  }
}
