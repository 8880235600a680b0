import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { PrivateBucket } from '../storage/private-bucket.ts';

/** The service's own pages: path under the base URL, and HTML. */
export type Pages = Readonly<Record<string, string>>;

/** The start page and the API reference, as files in S3. */
export class Console extends Construct {
  readonly bucket: IBucket;

  constructor(scope: Construct, id: string, pages: Pages) {
    super(scope, id);
    // Kept like every bucket, although it holds nothing of its own: CloudFormation deletes only an empty one, and what
    // empties it (autoDeleteObjects) is one more function, for a few files that cost nothing.
    // The CDK's own types do not hold under exactOptionalPropertyTypes.
    this.bucket = new PrivateBucket(this, 'Pages') as IBucket;
    new BucketDeployment(this, 'Deployment', {
      destinationBucket: this.bucket,
      sources: Object.entries(pages).map(([path, html]) => Source.data(path, html)),
      contentType: 'text/html; charset=utf-8',
      // A new release is seen within minutes, without an invalidation.
      cacheControl: [CacheControl.maxAge(Duration.seconds(0)), CacheControl.sMaxAge(Duration.minutes(5))],
      logGroup: new LogGroup(this, 'DeploymentLogs', {
        retention: RetentionDays.ONE_MONTH,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    });
  }
}
