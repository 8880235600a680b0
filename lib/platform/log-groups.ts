import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnLogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import { LogLevel, type LogOptions } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';

const EXECUTIONS = 'ExecutionLogs';

/**
 * Returns the options with which a state machine logs what fails, without its data: inputs have prompts and secrets. All of the stack
 * share a log group. Its prefix keeps the policy of the account, to which Step Functions adds each log group, below its maximum.
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
  for (const construct of stack.node.findAll())
    if (construct instanceof CfnLogGroup) construct.retentionInDays = days;
}
