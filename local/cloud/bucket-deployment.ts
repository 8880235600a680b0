import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { lookup } from 'mrmime';
import * as z from 'zod';
import type { Stack } from './template/stack.ts';
import { assetPath, noLocalEffect } from './template/template.ts';

const Properties = z.strictObject({
  ServiceToken: z.string(),
  SourceBucketNames: z.array(z.string()),
  SourceObjectKeys: z.array(z.string()),
  DestinationBucketName: z.string(),
  Prune: z.literal(false),
  SystemMetadata: z
    .strictObject({ 'cache-control': z.string().optional(), 'content-type': z.string().optional() })
    .default({}),
  // The cache is empty when the local cloud starts.
  DistributionId: noLocalEffect,
  DistributionPaths: noLocalEffect,
  WaitForDistributionInvalidation: noLocalEffect,
  OutputObjectKeys: noLocalEffect,
});

type Deployment = z.output<typeof Properties>;

/** Returns the bucket deployments of the template. */
export function readBucketDeployments(stack: Stack): Deployment[] {
  return stack.all('Custom::CDKBucketDeployment', Properties).map(({ properties }) => properties);
}

/** Replaces the CDK's custom resource: copies the sources to the bucket. */
export async function deployBucket(deployment: Deployment, stack: Stack, s3: S3Client): Promise<void> {
  const { DestinationBucketName: Bucket, SystemMetadata } = deployment;
  const { 'cache-control': CacheControl, 'content-type': ContentType } = SystemMetadata;
  const files = deployment.SourceObjectKeys.flatMap((source) => readAsset(stack, source));
  const puts = files.map(([Key, Body]) =>
    s3.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: ContentType ?? contentType(Key), CacheControl })),
  );
  await Promise.all(puts);
}

function readAsset(stack: Stack, key: string): [path: string, content: Buffer][] {
  const folder = assetPath(stack.assembly, key);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(folder, path).split(sep).join('/'), readFileSync(path)]);
}

function contentType(key: string): string {
  const type = lookup(key) ?? 'application/octet-stream';
  return /^(text\/|application\/(json|javascript|xml))/.test(type) ? `${type}; charset=utf-8` : type;
}
