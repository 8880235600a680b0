import { AttributeType, Billing, ProjectionType, type TablePropsV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, type BucketProps, type LifecycleRule } from 'aws-cdk-lib/aws-s3';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { END_INDEX, OWNER_INDEX } from '../../lambda/platform/env.ts';
import type { StageConfig } from '../config.ts';

/** The part of the configuration that every table needs. */
export type Maxima = Pick<StageConfig, 'tables'>;

/** The part of the configuration that tables with user data need. */
export type Protection = Pick<StageConfig, 'deletionProtection'> & Maxima;

interface ListedProps extends Omit<TablePropsV2, 'billing'> {
  /** The attribute with the owner of an item. Items that have it and `createdAt` (a number) are in the owner's list. */
  readonly listedBy?: string;
  /** Whether items can end: `grantEnded` finds those whose time has come. */
  readonly ends?: boolean;
}

/**
 * A table, billed per request, that can list the items of an owner. Its index has the same maxima: a write that the index refuses
 * is refused by the table.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode-max-throughput.html
 */
export class ListedTable extends TableV2 {
  constructor(scope: Construct, id: string, { tables }: Maxima, { listedBy, ends, ...props }: ListedProps) {
    super(scope, id, { ...props, billing: Billing.onDemand(tables) });
    if (ends)
      // Items that end are a part of all, and only a change of their end writes to the index.
      this.addGlobalSecondaryIndex({
        indexName: END_INDEX.name,
        partitionKey: { name: END_INDEX.shard, type: AttributeType.STRING },
        sortKey: { name: END_INDEX.sortKey, type: AttributeType.NUMBER },
        projectionType: ProjectionType.KEYS_ONLY,
        ...tables,
      });
    if (listedBy === undefined) return;
    // CloudFormation creates at most one index of an existing table per update, and cannot change one.
    this.addGlobalSecondaryIndex({
      indexName: OWNER_INDEX.name,
      partitionKey: { name: listedBy, type: AttributeType.STRING },
      sortKey: { name: OWNER_INDEX.sortKey, type: AttributeType.NUMBER },
      // Keys never change, so no update of an item writes to the index.
      projectionType: ProjectionType.KEYS_ONLY,
      ...tables,
    });
  }

  /** Every grant of a table with indexes would include all of them. */
  protected override get hasIndex(): boolean {
    return false;
  }

  /** Lets a function find items whose end has come. */
  grantEnded(grantee: IGrantable): void {
    this.#grantQuery(grantee, END_INDEX.name);
  }

  /** Lets a function query a local index, which has all attributes. */
  grantIndex(grantee: IGrantable, index: string): void {
    this.#grantQuery(grantee, index);
  }

  /** Lets a function list items: query the index, and read the items themselves. */
  grantList(grantee: IGrantable): void {
    this.grant(grantee, 'dynamodb:BatchGetItem');
    this.#grantQuery(grantee, OWNER_INDEX.name);
  }

  #grantQuery(grantee: IGrantable, index: string): void {
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({ actions: ['dynamodb:Query'], resources: [`${this.tableArn}/index/${index}`] }),
    );
  }
}

/** A table of user data: recoverable to any second of 35 days, and retained when the stack is deleted. */
export class DataTable extends ListedTable {
  constructor(scope: Construct, id: string, protection: Protection, props: ListedProps) {
    const { deletionProtection } = protection;
    super(scope, id, protection, {
      ...props,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection,
      // Deleted when the deploy that creates it fails.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
  }
}

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
