import { execFileSync } from 'node:child_process';

export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: properties of any resource type
  readonly Properties: any;
  readonly DeletionPolicy?: string;
  readonly DependsOn?: readonly string[];
  readonly UpdatePolicy?: Readonly<Record<string, Readonly<Record<string, { readonly Ref: string }>>>>;
  readonly UpdateReplacePolicy?: string;
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>;
}

/** Returns the template of each configuration. */
export function synthesized(...configs: readonly object[]): Template[] {
  return JSON.parse(synthesize(configs, process.env)) as Template[];
}

/**
 * Synthesizes the template of each configuration with the validation that `cdk deploy` includes.
 * @throws Error with the violations
 */
export function validate(...configs: readonly object[]): void {
  synthesize(configs, { ...process.env, CDK_VALIDATION: 'true' });
}

/** In a process of its own: loading the CDK takes Jest three times as long as Node. */
function synthesize(configs: readonly object[], env: NodeJS.ProcessEnv): string {
  return execFileSync(process.execPath, ['test/infra/synthesize.ts', JSON.stringify(configs)], {
    encoding: 'utf8',
    env,
    maxBuffer: 64 * 1_048_576,
  });
}

/** The resources of a type, by logical id. */
export function resources({ Resources }: Template, type: string): [string, Resource][] {
  return Object.entries(Resources).filter(([, { Type }]) => Type === type);
}

/** The properties of every resource of a type. */
export function propertiesOf(template: Template, type: string) {
  return resources(template, type).map(([, { Properties }]) => Properties);
}
