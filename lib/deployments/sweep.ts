import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { BundledFunction } from '../platform/bundled-function.ts';

/** Deletes what has expired, once an hour. The TTL of DynamoDB takes days, and deletes no objects. */
export class Sweep extends Construct {
  readonly fn: BundledFunction;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.fn = new BundledFunction(this, 'Function', {
      entry: 'deployments/sweep.handler',
      description: 'Deletes what has expired',
      timeout: Duration.minutes(10),
    });
    new Rule(this, 'Hourly', {
      description: 'Deletes what has expired',
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [new LambdaFunction(this.fn)],
    });
  }
}
