import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import {
  DeleteObjectsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { unzipSync } from 'fflate';
import { lookup } from 'mrmime';
import * as z from 'zod';
import type { Stack } from './template/stack.ts';
import { assetPath, noLocalEffect } from './template/template.ts';

const Properties = z.strictObject({
  ServiceToken: z.string(),
  SourceBucketNames: z.array(z.string()),
  SourceObjectKeys: z.array(z.string()),
  /** Per source: replacements by the text to replace in its files. */
  SourceMarkers: z.array(z.record(z.string(), z.string())).default([]),
  SourceMarkersConfig: z.array(z.strictObject({ jsonEscape: z.boolean().default(false) })).default([]),
  DestinationBucketName: z.string(),
  DestinationBucketKeyPrefix: z.string().default(''),
  Prune: z.boolean(),
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

/** Replaces the CDK's custom resource: copies the sources to the bucket and deletes all other objects. */
export async function deployBucket(deployment: Deployment, stack: Stack, s3: S3Client): Promise<void> {
  const Bucket = deployment.DestinationBucketName;
  const prefix = deployment.DestinationBucketKeyPrefix.replace(/^\/+|\/+$/g, '');
  const objects = new Map<string, Buffer>();
  deployment.SourceObjectKeys.forEach((source, index) => {
    const markers = Object.entries(deployment.SourceMarkers[index] ?? {});
    const jsonEscape = deployment.SourceMarkersConfig[index]?.jsonEscape ?? false;
    for (const [path, content] of readAsset(stack, source)) {
      objects.set(posix.join(prefix, path), replaceMarkers(content, markers, jsonEscape));
    }
  });
  const { 'cache-control': CacheControl, 'content-type': ContentType } = deployment.SystemMetadata;
  const puts = Array.from(objects, ([Key, Body]) => {
    const type = ContentType ?? contentType(Key);
    return s3.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: type, CacheControl }));
  });
  await Promise.all(puts);
  if (deployment.Prune) await prune(s3, Bucket, prefix, objects);
}

function readAsset(stack: Stack, key: string): [path: string, content: Buffer][] {
  const { folder, zip } = assetPath(stack.assembly, key);
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path).split(sep).join('/'), readFileSync(path)]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const files = Object.entries(unzipSync(readFileSync(zip))).filter(([path]) => !path.endsWith('/'));
    return files.map(([path, content]) => [path, Buffer.from(content)]);
  }
}

function replaceMarkers(content: Buffer, markers: readonly [string, string][], jsonEscape: boolean): Buffer {
  if (markers.length === 0) return content;
  const text = markers.reduce((before, [marker, value]) => {
    return before.replaceAll(marker, jsonEscape ? JSON.stringify(value).slice(1, -1) : value);
  }, content.toString());
  return Buffer.from(text);
}

async function prune(
  s3: S3Client,
  Bucket: string,
  prefix: string,
  keep: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const Prefix = prefix === '' ? '' : `${prefix}/`;
  let ContinuationToken: string | undefined;
  do {
    const page = await s3.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }));
    const left = (page.Contents ?? []).filter(({ Key = '' }) => !keep.has(Key)).map(({ Key }) => ({ Key }));
    if (left.length > 0)
      await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: left, Quiet: true } }));
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken);
}

function contentType(key: string): string {
  const type = lookup(key) ?? 'application/octet-stream';
  return /^(text\/|application\/(json|javascript|xml))/.test(type) ? `${type}; charset=utf-8` : type;
}
