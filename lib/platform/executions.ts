import { CfnLogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import { Errors, LogLevel, type LogOptions, type RetryProps } from 'aws-cdk-lib/aws-stepfunctions';
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';

const EXECUTIONS = 'ExecutionLogs';

/**
 * Returns the options with which a state machine logs failures without their data, since inputs contain prompts and secrets. All
 * state machines of the stack share a log group. Step Functions adds each log group to a resource policy of the account; the prefix
 * `/aws/vendedlogs/` keeps that policy below its maximum size.
 * https://docs.aws.amazon.com/step-functions/latest/dg/bp-cwl.html
 */
export function executionLogs(scope: Construct): LogOptions {
  const stack = Stack.of(scope);
  const shared = stack.node.tryFindChild(EXECUTIONS) as LogGroup | undefined;
  const destination =
    shared ??
    new LogGroup(stack, EXECUTIONS, {
      logGroupName: `/aws/vendedlogs/states/${stack.stackName}`,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  return { destination, level: LogLevel.ERROR, includeExecutionData: false };
}

/** Sets how many days all log groups of a stack keep their lines. */
export function keepLogs(stack: Stack, days: number): void {
  for (const construct of stack.node.findAll()) if (construct instanceof CfnLogGroup) construct.retentionInDays = days;
}

/** Retries of a task that outlast an outage of about an hour. */
export const RETRY_FOR_AN_HOUR: RetryProps = {
  errors: [Errors.ALL],
  interval: Duration.seconds(2),
  backoffRate: 2,
  maxDelay: Duration.minutes(5),
  maxAttempts: 20,
};
