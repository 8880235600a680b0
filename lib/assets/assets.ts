import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { ENV } from '../../lambda/platform/env.ts';
import type { Access } from '../access/access.ts';
import { BundledFunction } from '../api/bundled-function.ts';
import { PrivateBucket } from '../storage/private-bucket.ts';

/** User assets: their records, their bytes, and the API. */
export class Assets extends Construct {
  readonly api: BundledFunction;

  constructor(scope: Construct, id: string, access: Access) {
    super(scope, id);
    const records = new TableV2(this, 'Records', {
      partitionKey: { name: 'asset_id', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const objects = new PrivateBucket(this, 'Objects');
    this.api = new BundledFunction(this, 'Api', {
      entry: 'assets/api.handler',
      description: 'User assets',
      timeout: Duration.seconds(29),
      memorySize: 512,
    });
    access.grantApi(this.api);
    this.api.addEnvironment(ENV.assetsTable, records.tableName);
    records.grant(this.api, 'dynamodb:PutItem', 'dynamodb:UpdateItem');
    this.api.addEnvironment(ENV.assetsBucket, objects.bucketName);
    // What a presigned URL allows is what its signer may do.
    objects.grantObjects(this.api, 'assets/*', 's3:PutObject');
  }
}
