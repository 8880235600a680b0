import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type FunctionUrl, FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { ENV } from '../../lambda/platform/env.ts';
import { type Access, generatedSecret } from '../access/access.ts';
import { BundledFunction } from '../api/bundled-function.ts';
import { PrivateBucket } from '../storage/private-bucket.ts';

/** Files become a public page: the archives, the pointers, the API that writes them and the function that serves. */
export class Deployments extends Construct {
  readonly api: BundledFunction;
  /** Serves `/d/*`; only the distribution may call it. */
  readonly siteUrl: FunctionUrl;
  readonly #pointers: TableV2;
  readonly #archives: PrivateBucket;

  constructor(scope: Construct, id: string, access: Access) {
    super(scope, id);
    this.#pointers = new TableV2(this, 'Pointers', {
      partitionKey: { name: 'id', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.#archives = new PrivateBucket(this, 'Archives');
    this.api = this.#api(access);
    this.siteUrl = this.#site();
  }

  /** Tells the API where sites are seen, and lets it drop what the distribution holds of one. */
  publishThrough(distribution: Distribution, baseUrl: string): void {
    this.api.addEnvironment(ENV.baseUrl, baseUrl);
    this.api.addEnvironment(ENV.distributionId, distribution.distributionId);
    this.api.addToRolePolicy(
      new PolicyStatement({
        actions: ['cloudfront:CreateInvalidation'],
        resources: [distribution.distributionArn],
      }),
    );
  }

  #api(access: Access): BundledFunction {
    const fn = new BundledFunction(this, 'Api', {
      entry: 'deployments/api.handler',
      description: 'Deploys files',
      timeout: Duration.seconds(29),
      // The request, its text, the files and the archive are in memory at once: 10 MB each.
      memorySize: 1024,
    });
    access.grantApi(fn);
    const secret = generatedSecret(
      this,
      'ProjectIdSecret',
      'Turns projectIds into deployment ids: never change it',
    );
    fn.addEnvironment(ENV.projectIdSecret, secret.unsafeUnwrap());
    this.#grant(fn, 'dynamodb:UpdateItem', 's3:PutObject');
    return fn;
  }

  #site(): FunctionUrl {
    const fn = new BundledFunction(this, 'Site', {
      entry: 'deployments/site.handler',
      description: 'Serves deployed pages',
      timeout: Duration.seconds(15),
      memorySize: 512,
    });
    this.#grant(fn, 'dynamodb:GetItem', 's3:GetObject');
    return fn.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM });
  }

  #grant(fn: BundledFunction, tableAction: string, objectAction: string): void {
    fn.addEnvironment(ENV.deploymentsTable, this.#pointers.tableName);
    fn.addEnvironment(ENV.sitesBucket, this.#archives.bucketName);
    this.#pointers.grant(fn, tableAction);
    this.#archives.grantObjects(fn, 'sites/*', objectAction);
  }
}
