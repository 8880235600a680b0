import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StageName } from './stages.ts';

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

/** Returns the template of a stage, which `start-templates.ts` synthesized. */
export function templateOf(stage: StageName): Template {
  return JSON.parse(readFileSync(join(process.env.TEST_TEMPLATES ?? '', `${stage}.json`), 'utf8'));
}

/** Returns the resources of a type, by logical id. */
export function resources({ Resources }: Template, type: string): [string, Resource][] {
  return Object.entries(Resources).filter(([, { Type }]) => Type === type);
}

/** Returns the resources of a type whose logical id begins like this. */
export function resourceOf(template: Template, type: string, beginning: string): Resource {
  const found = resources(template, type).find(([id]) => id.startsWith(beginning));
  if (!found) throw new Error(`no ${type} ${beginning}`);
  return found[1];
}

/** Returns the properties of every resource of a type. */
export function propertiesOf(template: Template, type: string) {
  return resources(template, type).map(([, { Properties }]) => Properties);
}

/** Returns the logical id that the code gives a resource, without the CDK's hash. */
export function withoutHash(id: string): string {
  return id.replace(/[0-9A-F]{8}$/, '');
}

/** Returns the actions that the policies of a role allow, of all statements that a test is about. */
export function statementsOf(template: Template, role: string) {
  return resources(template, 'AWS::IAM::Policy')
    .filter(([id]) => id.startsWith(role))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement);
}
