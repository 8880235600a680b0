import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** A CloudFormation template from the CDK. */
export interface Template {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Conditions?: Readonly<Record<string, unknown>>;
  readonly [section: string]: unknown;
}

export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Condition?: string;
  readonly DeletionPolicy?: string;
}

/** The only stack of a cloud assembly. `directory` contains its assets. */
export interface Assembly {
  readonly stackName: string;
  readonly template: Template;
  readonly directory: string;
}

/** Reads a cloud assembly (`cdk.out`). @throws Error unless it contains exactly one stack */
export function readAssembly(directory: string): Assembly {
  const manifest = readJson(join(directory, 'manifest.json')) as {
    artifacts: Record<string, { type: string; properties?: { templateFile?: string; stackName?: string } }>;
  };
  const stacks = Object.entries(manifest.artifacts).filter(
    ([, artifact]) => artifact.type === 'aws:cloudformation:stack',
  );
  const [stack] = stacks;
  if (stack === undefined || stacks.length > 1) {
    throw new Error(
      `The local cloud runs one stack, but the app has ${stacks.length}: ${stacks.map(([name]) => name).join(', ')}`,
    );
  }
  const [id, { properties = {} }] = stack;
  const template = readJson(join(directory, properties.templateFile ?? `${id}.template.json`)) as Template;
  return { stackName: properties.stackName ?? id, template, directory };
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Returns the folder of an asset: `Code.S3Key` and `SourceObjectKeys` name it `<hash>.zip`. */
export function assetPath(assembly: Assembly, s3Key: string): string {
  return join(assembly.directory, `asset.${s3Key.replace(/\.zip$/, '')}`);
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Returns an id of `length` lower-case base32 characters (at most 51) that depends only on `text`. */
export function stableId(text: string, length: number): string {
  const bits = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
  return Array.from({ length }, (_, i) => BASE32[Number((bits >> BigInt(5 * i)) & 31n)]).join('');
}

/** Returns `<stack>-<logical id>`, shortened to `limit` characters without losing the hash at the end of the id. */
export function physicalName(stackName: string, logicalId: string, limit: number): string {
  const name = `${stackName}-${logicalId}`;
  return name.length <= limit ? name : `${name.slice(0, limit - 9)}-${name.slice(-8)}`;
}

/** Returns a logical id without the hash that the CDK appends. */
export function displayName(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}$/, '');
}

/** A supported property without local effect; a comment where it is used gives the reason. */
export const noLocalEffect = z.unknown().optional();
