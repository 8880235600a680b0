import { isDeepStrictEqual } from 'node:util';
import type { Replacing } from './specification.ts';
import { lossOf } from './stateful.ts';

/** The parts of a CloudFormation template that upgrades depend on. */
export interface Template {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
}

interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
}

/** A configuration. */
export interface StageFile {
  readonly stage?: string;
  readonly [key: string]: unknown;
}

/** The parts of a resource that an upgrade must keep. */
interface Kept {
  readonly type: string;
  /** The properties whose change replaces it. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** The indexes of a table, as CloudFormation has them. */
  readonly indexes?: Readonly<Record<string, unknown>>;
}

/** The stateful resources and the names of a release. */
export interface ReleaseRecord {
  readonly version: string;
  readonly commit: string;
  /** The configuration that was synthesized. */
  readonly config: StageFile;
  readonly resources: Readonly<Record<string, Kept>>;
  /** The logical ids of resources with a fixed name, by type and name. */
  readonly names: Readonly<Record<string, string>>;
}

/** The parts of a record that are compared. */
export type Upgraded = Pick<ReleaseRecord, 'resources' | 'names'>;

interface Index {
  readonly IndexName: string;
  readonly KeySchema: unknown;
  readonly Projection: unknown;
}

/** Returns the parts of a template that an upgrade must keep. */
export function upgradedOf({ Resources }: Template, replacing: Replacing): Upgraded {
  const entries = Object.entries(Resources);
  const stateful = entries.filter(([, { Type }]) => lossOf(Type) !== undefined);
  return {
    resources: Object.fromEntries(stateful.map(([id, resource]) => [id, kept(resource, replacing)])),
    names: Object.fromEntries(
      entries.flatMap(([id, resource]) => namesOf(resource).map((name) => [name, id])),
    ),
  };
}

/** Returns a resource's type and name if the template fixes the name, which CloudFront resources have in their configuration. */
function namesOf({ Type, Properties = {} }: TemplateResource): string[] {
  const holders = [Properties, ...Object.values(Properties)] as { readonly Name?: unknown }[];
  const names = holders.map((holder) => holder?.Name).filter((name) => name !== undefined);
  return names.map((name) => `${Type} ${JSON.stringify(name)}`);
}

function kept({ Type, Properties = {} }: TemplateResource, replacing: Replacing): Kept {
  const names = replacing(Type).filter((name) => Properties[name] !== undefined);
  const fixed = Object.fromEntries(names.map((name) => [name, Properties[name]]));
  const { GlobalSecondaryIndexes: indexes } = Properties as { GlobalSecondaryIndexes?: readonly Index[] };
  if (indexes === undefined) return { type: Type, fixed };
  const named = indexes.map(({ IndexName, KeySchema, Projection }) => [IndexName, { KeySchema, Projection }]);
  return { type: Type, fixed, indexes: Object.fromEntries(named) };
}

/**
 * Returns the reasons why an update of a release's stack to a template would lose data or fail: resources that are removed or replaced,
 * tables whose indexes cannot change in one update, and names that are still taken by a resource with another logical id, which
 * CloudFormation deletes last.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-globaltable.html
 */
export function upgradeProblems(before: Upgraded, after: Upgraded): string[] {
  const moved = Object.entries(before.names).filter(([name, id]) => (after.names[name] ?? id) !== id);
  const taken = moved.map(([name, id]) => `${id} still has the name of ${after.names[name]}: ${name}`);
  return [...lossesOf(before.resources, after.resources), ...taken];
}

function lossesOf(releases: ReleaseRecord['resources'], now: ReleaseRecord['resources']): string[] {
  return Object.entries(releases).flatMap(([id, before]) => {
    const after = now[id];
    const what = `${id} (${before.type})`;
    if (after === undefined) return [`${what} is removed: ${lossOf(before.type)}`];
    if (after.type !== before.type) return [`${what} becomes an ${after.type}: ${lossOf(before.type)}`];
    const changed = keysOf(before.fixed, after.fixed).filter(
      (name) => !isDeepStrictEqual(before.fixed[name], after.fixed[name]),
    );
    const replaced = changed.map((name) => `${what} is replaced by its ${name}: ${lossOf(before.type)}`);
    return [...replaced, ...indexProblems(what, before.indexes, after.indexes)];
  });
}

function indexProblems(what: string, before: Kept['indexes'] = {}, after: Kept['indexes'] = {}): string[] {
  const created = Object.keys(after).filter((name) => !(name in before));
  const deleted = Object.keys(before).filter((name) => !(name in after));
  const changed = Object.keys(before).filter(
    (name) => name in after && !isDeepStrictEqual(before[name], after[name]),
  );
  const problems = changed.map((name) => `${what}: its index ${name} changes, which CloudFormation rejects`);
  if (created.length + deleted.length < 2) return problems;
  const all = [...created.map((name) => `+${name}`), ...deleted.map((name) => `-${name}`)].join(', ');
  return [...problems, `${what}: ${all}, but an update can create or delete only one index per table`];
}

function keysOf(...objects: readonly object[]): string[] {
  return [...new Set(objects.flatMap((one) => Object.keys(one)))];
}
