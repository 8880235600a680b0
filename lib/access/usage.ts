import { AttributeType, type TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { ENV } from '../../lambda/platform/env.ts';
import { DataTable, type Protection } from '../platform/data-table.ts';

/** The usage of callers with a credential, by day and operation. */
export class Usage extends Construct {
  readonly table: TableV2;

  constructor(scope: Construct, id: string, protection: Protection) {
    super(scope, id);
    this.table = new DataTable(this, 'Table', protection, {
      partitionKey: { name: 'caller', type: AttributeType.STRING },
      sortKey: { name: 'dayOperation', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiresAt',
    });
  }

  /** Lets a function record usage. */
  grantRecord(fn: LambdaFunction): void {
    fn.addEnvironment(ENV.usageTable, this.table.tableName);
    this.table.grant(fn, 'dynamodb:UpdateItem');
  }

  /** Lets a function read usage. */
  grantRead(fn: LambdaFunction): void {
    fn.addEnvironment(ENV.usageTable, this.table.tableName);
    this.table.grant(fn, 'dynamodb:Query');
  }
}
