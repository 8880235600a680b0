import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type LifecycleRule,
} from 'aws-cdk-lib/aws-s3';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';

/**
 * How far back point-in-time recovery of a table reaches. Deleted or replaced objects stay recoverable for the same time, so that the
 * objects of a restored item still exist.
 */
const RECOVERABLE = Duration.days(35);

/** Keeps deleted or replaced objects below a prefix. S3 counts days from the next midnight (UTC), so the time is never shorter. */
export function recoverable(prefix: string): LifecycleRule {
  return { prefix, noncurrentVersionExpiration: RECOVERABLE, expiredObjectDeleteMarker: true };
}

/** A bucket without public access, encrypted, accessible over TLS only, and retained when the stack is deleted. */
export class PrivateBucket extends Bucket {
  constructor(scope: Construct, id: string, { lifecycleRules = [], ...props }: BucketProps = {}) {
    super(scope, id, {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      // Deleted when the deploy that creates it fails.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1) }, ...lifecycleRules],
      ...props,
    });
  }

  /** Grants exactly these actions on objects whose keys match; methods such as `grantRead` allow far more. */
  grantObjects(grantee: IGrantable, keys: string, ...actions: string[]): void {
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({ actions, resources: [this.arnForObjects(keys)] }),
    );
  }
}
