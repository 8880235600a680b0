import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { PrivateBucket } from '../platform/private-bucket.ts';

/** HTML by path under the base URL. */
export type PageContents = Readonly<Record<string, string>>;

/** The service's own pages, the start page and the API reference, as files in S3. */
export class Pages extends Construct {
  readonly bucket: IBucket;

  constructor(scope: Construct, id: string, pages: PageContents) {
    super(scope, id);
    // Retained, although its contents can be recreated: CloudFormation deletes only empty buckets, also when it rolls back a
    // first deploy, and emptying it (autoDeleteObjects) needs another function.
    // The cast is needed because the CDK's types fail under exactOptionalPropertyTypes.
    this.bucket = new PrivateBucket(this, 'Pages', { removalPolicy: RemovalPolicy.RETAIN }) as IBucket;
    new BucketDeployment(this, 'Deployment', {
      destinationBucket: this.bucket,
      sources: Object.entries(pages).map(([path, html]) => Source.data(path, html)),
      contentType: 'text/html; charset=utf-8',
      // A new release appears within five minutes, without an invalidation.
      cacheControl: [CacheControl.maxAge(Duration.seconds(0)), CacheControl.sMaxAge(Duration.minutes(5))],
      logGroup: new LogGroup(this, 'DeploymentLogs', {
        retention: RetentionDays.ONE_MONTH,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    });
  }
}
