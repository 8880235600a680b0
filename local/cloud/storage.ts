import * as z from 'zod';
import type { Bucket, Maximum, Table, VersionRule } from './account.ts';
import { PolicyDocument } from './policy.ts';
import { noLocalEffect } from './template/schema.ts';
import type { Stack } from './template/stack.ts';

const BucketProperties = z.strictObject({
  BucketName: z.string().optional(),
  CorsConfiguration: z
    .strictObject({
      CorsRules: z.array(
        z.strictObject({
          AllowedOrigins: z.array(z.string()),
          AllowedMethods: z.array(z.string()),
          AllowedHeaders: z.array(z.string()).exactOptional(),
          ExposedHeaders: z.array(z.string()).exactOptional(),
          MaxAge: z.number().exactOptional(),
        }),
      ),
    })
    .optional(),
  // Durability, cost and compliance have no effect on callers.
  BucketEncryption: noLocalEffect,
  OwnershipControls: noLocalEffect,
  PublicAccessBlockConfiguration: noLocalEffect,
  Tags: noLocalEffect,
  VersioningConfiguration: z.strictObject({ Status: z.literal('Enabled') }).optional(),
  // Only rules for noncurrent versions are applied: no behavior depends on the others.
  LifecycleConfiguration: z
    .strictObject({
      Rules: z.array(
        z.looseObject({
          Prefix: z.string().default(''),
          TagFilters: z.unknown().optional(),
          NoncurrentVersionExpiration: z.strictObject({ NoncurrentDays: z.number() }).optional(),
        }),
      ),
    })
    .optional(),
});

type BucketRules = z.output<typeof BucketProperties>['LifecycleConfiguration'];

function versionRules(configuration: BucketRules): VersionRule[] {
  return (configuration?.Rules ?? []).flatMap(({ Prefix, TagFilters, NoncurrentVersionExpiration }) =>
    NoncurrentVersionExpiration && TagFilters === undefined
      ? [{ prefix: Prefix, days: NoncurrentVersionExpiration.NoncurrentDays }]
      : [],
  );
}

const BucketPolicyProperties = z.strictObject({ Bucket: z.string(), PolicyDocument });

const KeySchema = z.array(z.strictObject({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));

/** Request units per second. */
const ReadMaximum = z.strictObject({ MaxReadRequestUnits: z.number() }).optional();
const WriteMaximum = z.strictObject({ MaxWriteRequestUnits: z.number() }).optional();

const TableProperties = z.strictObject({
  TableName: z.string().optional(),
  KeySchema,
  AttributeDefinitions: z.array(
    z.strictObject({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  BillingMode: z.literal('PAY_PER_REQUEST'),
  GlobalSecondaryIndexes: z
    .array(
      z.strictObject({
        IndexName: z.string(),
        KeySchema,
        Projection: z.strictObject({
          ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
          NonKeyAttributes: z.array(z.string()).exactOptional(),
        }),
        // What writes consume of indexes is not counted.
        WriteOnDemandThroughputSettings: noLocalEffect,
      }),
    )
    .default([]),
  WriteOnDemandThroughputSettings: WriteMaximum,
  // In a single region, the replica's other settings affect only deletion.
  Replicas: z.tuple([
    z.looseObject({
      PointInTimeRecoverySpecification: z
        .strictObject({ PointInTimeRecoveryEnabled: z.boolean() })
        .default({ PointInTimeRecoveryEnabled: false }),
      ReadOnDemandThroughputSettings: ReadMaximum,
      GlobalSecondaryIndexes: z
        .array(z.looseObject({ IndexName: z.string(), ReadOnDemandThroughputSettings: ReadMaximum }))
        .default([]),
    }),
  ]),
  // DynamoDB deletes expired items within days, so code must not rely on it.
  TimeToLiveSpecification: noLocalEffect,
  SSESpecification: noLocalEffect,
  Tags: noLocalEffect,
});

/** Returns the buckets of the template with their policies. */
export function readBuckets(stack: Stack): Bucket[] {
  const policies = stack.all('AWS::S3::BucketPolicy', BucketPolicyProperties);
  return stack.all('AWS::S3::Bucket', BucketProperties).map(({ logicalId, ref, properties }) => ({
    name: ref,
    retained: stack.isRetained(logicalId),
    policy: policies
      .filter((policy) => policy.properties.Bucket === ref)
      .flatMap((policy) => policy.properties.PolicyDocument),
    ...(properties.VersioningConfiguration && {
      versions: versionRules(properties.LifecycleConfiguration),
    }),
    ...(properties.CorsConfiguration && { cors: properties.CorsConfiguration.CorsRules }),
  }));
}

/** Returns the tables of the template. */
export function readTables(stack: Stack): Table[] {
  return stack.all('AWS::DynamoDB::GlobalTable', TableProperties).map(({ logicalId, ref, properties }) => ({
    name: ref,
    retained: stack.isRetained(logicalId),
    keySchema: properties.KeySchema,
    attributes: properties.AttributeDefinitions,
    recoverable: properties.Replicas[0].PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled,
    indexes: properties.GlobalSecondaryIndexes.map(
      ({ WriteOnDemandThroughputSettings: _, ...index }) => index,
    ),
    maxima: maximaOf(properties),
  }));
}

function maximaOf({
  WriteOnDemandThroughputSettings: writes,
  Replicas: [replica],
}: z.output<typeof TableProperties>): Maximum[] {
  const ofReads = (settings: z.output<typeof ReadMaximum>, index?: string): Maximum[] =>
    settings ? [{ kind: 'Read', index, unitsPerSecond: settings.MaxReadRequestUnits }] : [];
  return [
    ...(writes ? [{ kind: 'Write' as const, unitsPerSecond: writes.MaxWriteRequestUnits }] : []),
    ...ofReads(replica.ReadOnDemandThroughputSettings),
    ...replica.GlobalSecondaryIndexes.flatMap((index) =>
      ofReads(index.ReadOnDemandThroughputSettings, index.IndexName),
    ),
  ];
}
