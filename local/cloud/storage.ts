import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Account, Bucket, Maximum, Table, VersionRule } from './account.ts';
import { PolicyDocument } from './iam.ts';
import type { Stack } from './template/stack.ts';
import { noLocalEffect } from './template/template.ts';

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

const Projection = z.strictObject({
  ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
  NonKeyAttributes: z.array(z.string()).exactOptional(),
});

const TableProperties = z.strictObject({
  TableName: z.string().optional(),
  KeySchema,
  AttributeDefinitions: z.array(z.strictObject({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) })),
  BillingMode: z.literal('PAY_PER_REQUEST'),
  GlobalSecondaryIndexes: z
    .array(
      z.strictObject({
        IndexName: z.string(),
        KeySchema,
        Projection,
        // What writes consume of indexes is not counted.
        WriteOnDemandThroughputSettings: noLocalEffect,
      }),
    )
    .default([]),
  LocalSecondaryIndexes: z
    .array(z.strictObject({ IndexName: z.string(), KeySchema, Projection }))
    .max(5)
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
    indexes: properties.GlobalSecondaryIndexes.map(({ WriteOnDemandThroughputSettings: _, ...index }) => index),
    ...(properties.LocalSecondaryIndexes.length > 0 && { localIndexes: properties.LocalSecondaryIndexes }),
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

/** The physical ids of tables, buckets and secrets, by the name of their stack and their logical id. */
export type StackResources = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The types whose resources can be retained. */
const TYPES = ['AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret'];

/**
 * Returns the account with the tables and buckets that earlier stacks with another name retained in this state folder.
 * The policy of a bucket is deleted with its stack.
 */
export function withRetained(account: Account, stateDir: string): Account {
  const former = readState<Account>(stateDir, 'account.json');
  if (!former) return account;
  const leftOf = <Kind extends { readonly name: string; readonly retained?: boolean }>(
    before: readonly Kind[],
    now: readonly Kind[],
  ) => before.filter(({ name, retained }) => retained && !now.some((one) => one.name === name));
  const buckets = leftOf(former.buckets, account.buckets).map((bucket) => ({ ...bucket, policy: [] }));
  const tables = leftOf(former.tables, account.tables);
  return { ...account, buckets: [...account.buckets, ...buckets], tables: [...account.tables, ...tables] };
}

/** Returns the resources that CloudFormation lists for the stack, and for former stacks. */
export function stackResources(stack: Stack, stateDir: string): StackResources {
  const { stackName } = stack.assembly;
  const former = readState<{ readonly resources?: StackResources }>(stateDir, 'operator.json');
  const resources = TYPES.flatMap((type) => stack.ids(type)).map(({ logicalId, ref }) => [logicalId, ref]);
  return { ...former?.resources, [stackName]: Object.fromEntries(resources) };
}

function readState<State>(stateDir: string, name: string): State | undefined {
  const path = join(stateDir, name);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as State) : undefined;
}
