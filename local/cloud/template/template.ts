import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A CloudFormation template as the CDK writes it. */
export interface Template {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Conditions?: Readonly<Record<string, unknown>>;
  readonly [section: string]: unknown;
}

export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Condition?: string;
}

/** The one stack of a cloud assembly: its name, its template and the folder that holds its assets. */
export interface Assembly {
  readonly stackName: string;
  readonly template: Template;
  readonly directory: string;
}

/** Reads a cloud assembly (`cdk.out`); it must hold exactly one stack. */
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
      `The local cloud runs one stack, the app has ${stacks.length}: ${stacks.map(([name]) => name).join(', ')}.`,
    );
  }
  const [id, { properties = {} }] = stack;
  const template = readJson(join(directory, properties.templateFile ?? `${id}.template.json`)) as Template;
  return { stackName: properties.stackName ?? id, template, directory };
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/**
 * The folder or zip file of an asset. `Code.S3Key` and `SourceObjectKeys` name an asset `<hash>.zip`;
 * the assembly keeps it as `asset.<hash>/`, or as `asset.<hash>.zip` when it was a file already.
 */
export function assetPath(assembly: Assembly, s3Key: string): { folder: string; zip: string } {
  const folder = join(assembly.directory, `asset.${s3Key.replace(/\.zip$/, '')}`);
  return { folder, zip: `${folder}.zip` };
}
