import { RemovalPolicy } from 'aws-cdk-lib';
import { Billing, type TablePropsV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';

/** What user data needs of the configuration. */
export type Protection = Pick<StageConfig, 'deletionProtection'>;

/** A table of user data, billed per request: recoverable to any second of 35 days, and retained when the stack is deleted. */
export class DataTable extends TableV2 {
  constructor(scope: Construct, id: string, { deletionProtection }: Protection, props: TablePropsV2) {
    super(scope, id, {
      ...props,
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection,
      // Deleted when the deploy that creates it fails.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
  }
}
