import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import {
  Choice,
  Condition,
  DefinitionBody,
  Errors,
  Fail,
  JitterType,
  JsonPath,
  Pass,
  Result,
  StateMachine,
  Succeed,
  TaskInput,
  Timeout,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import { WORKFLOW_ERRORS } from '../../lambda/generation/workflow.ts';

export interface WorkflowProps {
  readonly runProvider: IFunction;
  readonly settle: IFunction;
  readonly providerTimeout: Duration;
}

/**
 * The fallback, as a loop of one attempt: run a provider; when it times out or fails, settle the attempt, which
 * names the next provider or the end. The number of providers is data, not states.
 */
export class Workflow extends Construct {
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, id: string, props: WorkflowProps) {
    super(scope, id);
    const run = this.#invoke('RunProvider', props.runProvider, {
      taskTimeout: Timeout.duration(props.providerTimeout),
      resultPath: JsonPath.DISCARD,
    });
    const settle = this.#invoke('SettleAttempt', props.settle, { outputPath: '$.Payload' });
    // A job whose attempt is not settled would never end.
    settle.addRetry({ errors: [Errors.ALL], interval: Duration.seconds(1), maxAttempts: 5, backoffRate: 2 });
    const next = new Choice(this, 'NextProvider')
      .when(Condition.stringEquals('$.status', 'running'), run)
      .when(Condition.stringEquals('$.status', 'timed_out'), this.#end(WORKFLOW_ERRORS.generationTimedOut))
      .otherwise(this.#end(WORKFLOW_ERRORS.allProvidersFailed));
    settle.next(next);
    const caught = { resultPath: '$.failure' };
    run
      .addCatch(this.#outcome('timed_out').next(settle), {
        errors: [Errors.TIMEOUT, WORKFLOW_ERRORS.providerTimedOut],
        ...caught,
      })
      .addCatch(this.#outcome('failed').next(settle), { errors: [Errors.ALL], ...caught })
      .next(new Succeed(this, 'Succeeded'));
    // Standard, the default: an Express workflow ends after five minutes.
    this.stateMachine = new StateMachine(this, 'StateMachine', {
      definitionBody: DefinitionBody.fromChainable(run),
    });
  }

  /** Retries only what Lambda itself could not take; a provider's failure is never tried again with itself. */
  #invoke(
    id: string,
    lambdaFunction: IFunction,
    props: Partial<ConstructorParameters<typeof LambdaInvoke>[2]>,
  ) {
    const task = new LambdaInvoke(this, id, {
      lambdaFunction,
      payload: TaskInput.fromJsonPathAt('$'),
      retryOnServiceExceptions: false,
      ...props,
    });
    return task.addRetry({
      errors: ['Lambda.TooManyRequestsException', 'Lambda.ServiceException', 'Lambda.SdkClientException'],
      interval: Duration.seconds(1),
      maxAttempts: 3,
      backoffRate: 2,
      jitterStrategy: JitterType.FULL,
    });
  }

  #outcome(outcome: 'timed_out' | 'failed'): Pass {
    const id = outcome === 'timed_out' ? 'AttemptTimedOut' : 'AttemptFailed';
    return new Pass(this, id, { result: Result.fromString(outcome), resultPath: '$.outcome' });
  }

  #end(error: string): Fail {
    return new Fail(this, error, { error });
  }
}
