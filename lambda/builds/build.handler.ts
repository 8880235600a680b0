import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { buildsConfig } from '../contract/builds.ts';
import { CLIENT } from '../platform/aws.ts';
import { ENV, json, readEnv } from '../platform/env.ts';
import { build } from './build.ts';
import { buildHandler } from './handle-build.ts';
import { packageSource } from './packages/source.ts';
import { PackageObjects } from './packages/store.ts';

const env = readEnv({
  [ENV.builds]: json(buildsConfig),
  [ENV.buildsBucket]: z.string(),
  [ENV.npmRegistry]: z.string().optional(),
});
const { registry = env.npm_config_registry ?? 'https://registry.npmjs.org', ...policy } = env.BUILDS;
const packages = packageSource({
  registry: { url: registry },
  policy,
  store: new PackageObjects(new S3Client(CLIENT), env.BUILDS_BUCKET),
});

/** Builds the project behind presigned URLs. */
export const handler = buildHandler((input, vendor) => build(input, packages, vendor));
