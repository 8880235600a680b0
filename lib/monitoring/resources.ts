import { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { IConstruct } from 'constructs';
import { BundledFunction } from '../platform/bundled-function.ts';

/** The resources that alarms and the dashboard watch. */
export interface Resources {
  readonly functions: readonly BundledFunction[];
  /** Functions whose events are lost after their retries. */
  readonly asyncFunctions: readonly LambdaFunction[];
  readonly generations: StateMachine;
  readonly otherMachines: readonly StateMachine[];
  readonly tables: readonly TableV2[];
  readonly distributions: readonly Distribution[];
}

/** Finds the other resources in the stack, so that new ones are always included. */
export function resourcesOf(
  stack: IConstruct,
  known: Pick<Resources, 'asyncFunctions' | 'generations'>,
): Resources {
  const all = stack.node.findAll();
  const machines = all.filter((one) => one instanceof StateMachine);
  return {
    ...known,
    functions: all.filter((one) => one instanceof BundledFunction),
    otherMachines: machines.filter((machine) => machine !== known.generations),
    tables: all.filter((one) => one instanceof TableV2),
    distributions: all.filter((one) => one instanceof Distribution),
  };
}
