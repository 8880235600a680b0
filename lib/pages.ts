import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { PROVIDER_NAMES } from '../lambda/contract/generate.ts';
import type { ConsoleData } from '../web/console/data.ts';
import type { PageFiles } from '../web/pages.ts';
import type { AbuseContact } from '../web/security-text.ts';
import type { StageConfig } from './config.ts';
import { generatedAsset } from './platform/bundle.ts';
import { PrivateBucket } from './platform/storage.ts';

/** A new release appears within five minutes, without an invalidation. */
const FIVE_MINUTES = [CacheControl.maxAge(Duration.seconds(0)), CacheControl.sMaxAge(Duration.minutes(5))];

const FOR_EVER = [CacheControl.setPublic(), CacheControl.maxAge(Duration.days(365)), CacheControl.immutable()];

/** The service's own pages, such as the start page and the API reference, as files in S3. */
export class ServicePages extends Construct {
  readonly bucket: IBucket;
  /** Keys of the files whose names stay the same. */
  readonly keys: readonly string[];

  constructor(scope: Construct, id: string, pages: PageFiles) {
    super(scope, id);
    // Retained, although its contents can be recreated: CloudFormation deletes only empty buckets, also when it rolls back a
    // first deploy, and emptying it (autoDeleteObjects) needs another function.
    // The cast is needed because the CDK's types fail under exactOptionalPropertyTypes.
    this.bucket = new PrivateBucket(this, 'Pages', { removalPolicy: RemovalPolicy.RETAIN }) as IBucket;
    this.keys = Object.keys(pages).filter((key) => !pages[key]?.immutable);
    const logGroup = new LogGroup(this, 'DeploymentLogs', { removalPolicy: RemovalPolicy.DESTROY });
    // AWS's managed policy would allow writing to every log group of the account.
    const role = new Role(this, 'DeploymentRole', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    logGroup.grantWrite(role);
    const kinds = Object.groupBy(
      Object.entries(pages),
      ([, { contentType, immutable }]) => `${contentType}${immutable ? ' immutable' : ''}`,
    );
    let last: BucketDeployment | undefined;
    for (const [kind, files = []] of Object.entries(kinds)) {
      const { contentType = '', immutable = false } = files[0]?.[1] ?? {};
      // A deployment has one type for all of its objects.
      const deployment = new BucketDeployment(this, `Deployment ${kind.replaceAll('/', ' ')}`, {
        destinationBucket: this.bucket,
        sources: [
          Source.asset(
            'web',
            generatedAsset(kind, (outdir) => writeFiles(outdir, files)),
          ),
        ],
        contentType,
        // Each would delete the files of the others. Files of earlier releases stay, but no path leads to them.
        prune: false,
        cacheControl: immutable ? FOR_EVER : FIVE_MINUTES,
        logGroup,
        role,
      });
      // One after another: all at once take most of the quota of a new account, which may be 10 invocations.
      if (last) deployment.node.addDependency(last);
      last = deployment;
    }
  }
}

function writeFiles(folder: string, files: readonly (readonly [key: string, file: PageFiles[string]])[]): void {
  for (const [key, { body }] of files) {
    const path = join(folder, key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, body);
  }
}

/** Returns what the console knows of its service. Responses name the models, too. */
export function consoleData({ providers, siteDomain, customDomains, look }: StageConfig): ConsoleData {
  const known = PROVIDER_NAMES.flatMap((name) => {
    const config = providers[name];
    return config ? [{ name, model: 'model' in config ? config.model : config.kind }] : [];
  });
  return {
    isolated: siteDomain !== undefined,
    domains: customDomains,
    looks: look.enabled,
    providers: known,
  };
}

/** Returns who answers for the pages of a stage. CloudFront chooses the name of a distribution while it is deployed. */
export function abuseContact({ abuse, domainName }: StageConfig): AbuseContact | undefined {
  if (abuse === undefined) return undefined;
  return { contact: abuse, baseUrl: domainName === undefined ? undefined : `https://${domainName}` };
}
