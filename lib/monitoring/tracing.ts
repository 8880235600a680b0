import type { CfnStage, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { type CfnStateMachine, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { IConstruct } from 'constructs';
import { BundledFunction } from '../platform/bundled-function.ts';

/**
 * Turns X-Ray on for the API, all functions and all state machines of a stack. The services send the segments, so the code of
 * functions does not change. https://docs.aws.amazon.com/xray/latest/devguide/security_iam_id-based-policy-examples.html
 */
export function traceAll(stack: IConstruct, api: RestApi): void {
  (api.deploymentStage.node.defaultChild as CfnStage).tracingEnabled = true;
  for (const one of stack.node.findAll()) {
    if (one instanceof BundledFunction) {
      (one.node.defaultChild as CfnFunction).tracingConfig = { mode: 'Active' };
      one.addToRolePolicy(mayTrace('xray:PutTraceSegments', 'xray:PutTelemetryRecords'));
    }
    if (one instanceof StateMachine) {
      (one.node.defaultChild as CfnStateMachine).tracingConfiguration = { enabled: true };
      one.addToRolePolicy(
        mayTrace(
          'xray:PutTraceSegments',
          'xray:PutTelemetryRecords',
          'xray:GetSamplingRules',
          'xray:GetSamplingTargets',
        ),
      );
    }
  }
}

/** X-Ray's actions do not support resource-level permissions. */
const mayTrace = (...actions: string[]) => new PolicyStatement({ actions, resources: ['*'] });
