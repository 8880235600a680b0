import { execFileSync } from 'node:child_process';

export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: properties of any resource type
  readonly Properties: any;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>;
}

/**
 * Returns the template of each configuration. In a process of its own: loading the CDK takes Jest three times as long as Node.
 */
export function synthesized(...configs: readonly object[]): Template[] {
  const output = execFileSync(process.execPath, ['test/infra/synthesize.ts', JSON.stringify(configs)], {
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
  });
  return JSON.parse(output) as Template[];
}

/** The resources of a type, by logical id. */
export function resources({ Resources }: Template, type: string): [string, Resource][] {
  return Object.entries(Resources).filter(([, { Type }]) => Type === type);
}

/** The properties of every resource of a type. */
export function propertiesOf(template: Template, type: string) {
  return resources(template, type).map(([, { Properties }]) => Properties);
}
