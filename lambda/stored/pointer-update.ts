import { type Table, unlessConditionFails } from '../platform/dynamodb.ts';
import { END_INDEX } from '../platform/env.ts';
import type { SiteData } from './data/site-data.ts';
import type { Deployment } from './deployment.ts';
import type { Access } from './page-access.ts';

/** The versions in an `If-Match` header, or `*` for any; undefined without the header. */
export type IfMatch = readonly string[] | '*' | undefined;

/** A conditional update of a pointer. Its `ifMatch` adds conditions. */
export interface Update {
  readonly set?: readonly string[];
  /** Attributes to remove, by name. */
  readonly remove?: readonly string[];
  /** Paths to remove, with placeholders of `names`. */
  readonly removePaths?: readonly string[];
  readonly conditions: readonly string[];
  /** Attribute names by placeholder, without the `#`. */
  readonly names?: Readonly<Record<string, string>>;
  /** Attribute values by placeholder, without the `:`. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly ifMatch?: IfMatch;
}

export const EXISTS = 'attribute_exists(live)';
/** Also holds only before the end of the deployment's life. `updatePointer` sets `:clock`. */
export const NOT_DELETED = '(attribute_not_exists(deletedAt) AND (attribute_not_exists(endsAt) OR endsAt > :clock))';
export const DELETED = '(attribute_exists(deletedAt) OR endsAt <= :clock)';

/**
 * Updates a pointer.
 * @param now in Unix milliseconds
 * @returns its item before the update, if there was one, or `done: false` if a condition failed
 */
export async function updatePointer(
  table: Table,
  id: string,
  update: Update,
  now: number,
): Promise<{ done: boolean; before: Record<string, unknown> | undefined }> {
  const matching = matches(update.ifMatch);
  const condition = [...update.conditions, ...matching.conditions].join(' AND ');
  // DynamoDB rejects a value that no expression uses.
  const clock = condition.includes(':clock') ? { clock: now } : {};
  const removed = Object.fromEntries((update.remove ?? []).map((name, i) => [`r${i}`, name]));
  const names = prefixKeys('#', { ...update.names, ...removed });
  const values = prefixKeys(':', { ...update.values, ...matching.values, ...clock });
  const placeholders = Object.keys(removed).map((placeholder) => `#${placeholder}`);
  const removals = [...placeholders, ...(update.removePaths ?? [])];
  const earlier = await unlessConditionFails(
    table.update(
      { id },
      {
        UpdateExpression: [clause('SET', update.set ?? []), clause('REMOVE', removals)].join(' '),
        ConditionExpression: condition,
        ...(names && { ExpressionAttributeNames: names as Record<string, string> }),
        ...(values && { ExpressionAttributeValues: values }),
        ReturnValues: 'ALL_OLD',
      },
    ),
  );
  const existed = earlier !== undefined && 'id' in earlier;
  return { done: earlier !== undefined, before: existed ? earlier : undefined };
}

/** Returns the conditions of an `If-Match` (RFC 9110, 13.1.1); no header matches without a live version. */
function matches(ifMatch: IfMatch): { conditions: string[]; values: Record<string, string> } {
  if (ifMatch === undefined) return { conditions: [], values: {} };
  if (ifMatch === '*') return { conditions: [EXISTS, NOT_DELETED], values: {} };
  const values = Object.fromEntries(ifMatch.map((version, i) => [`match${i}`, version]));
  const list = Object.keys(values).map((placeholder) => `:${placeholder}`);
  return { conditions: [EXISTS, NOT_DELETED, `live IN (${list.join(', ')})`], values };
}

function clause(keyword: string, parts: readonly string[]): string {
  return parts.length === 0 ? '' : `${keyword} ${parts.join(', ')}`;
}

/** Returns a map with the sign before each placeholder, or undefined, because DynamoDB rejects an empty map. */
function prefixKeys(sign: string, map: Record<string, unknown>): Record<string, unknown> | undefined {
  const entries = Object.entries(map).map(([name, value]) => [sign + name, value] as const);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** How long a deployment stays. */
export interface Life {
  /** Unix milliseconds. */
  readonly endsAt: number;
  /** Its length, if a request chose it. */
  readonly seconds?: number | undefined;
}

/** The settings that a request changes besides the files. Undefined ones stay. */
export interface SettingsChange {
  /** `null` if it never ends. */
  readonly life?: Life | null | undefined;
  /** The length of the life that a deploy renews: if it was changed meanwhile, that change must not be lost. */
  readonly renewed?: Pick<Life, 'seconds'> | undefined;
  /** `null` for everyone. */
  readonly access?: Access | null | undefined;
  /** When the change ends copies at the edge, in Unix milliseconds; undefined if there is nothing to end. */
  readonly withdrawnAt?: number | undefined;
  /** Whether the change requires pages that are still private: if they became public in between, edge copies would remain. */
  readonly staysPrivate?: boolean | undefined;
  /** The URL that is notified of new items; `null` for none. */
  readonly dataWebhook?: string | null | undefined;
}

type Part = Required<Pick<Update, 'set' | 'remove' | 'values' | 'conditions'>>;

/** Returns the part of an update that changes the settings of a deployment. */
export function settingsUpdate(
  id: string,
  { life, renewed, access, withdrawnAt, staysPrivate, dataWebhook }: SettingsChange,
): Part {
  const assigned = joined([
    lifeUpdate(id, life),
    access === undefined ? [] : [['access', access ?? undefined]],
    withdrawnAt === undefined ? [] : [['withdrawal', { at: withdrawnAt }]],
    dataWebhook === undefined ? [] : [['dataWebhook', dataWebhook ?? undefined]],
  ]);
  const { seconds } = renewed ?? {};
  const kept = seconds === undefined ? 'attribute_not_exists(lifeSeconds)' : 'lifeSeconds = :renewed';
  return {
    ...assigned,
    values: { ...assigned.values, ...(seconds !== undefined && { renewed: seconds }) },
    conditions: [...(staysPrivate ? ['attribute_exists(access)'] : []), ...(renewed ? [kept] : [])],
  };
}

/** Returns a deployment as a change of settings leaves it. */
export function withSettings(
  before: Deployment,
  { life, access, withdrawnAt, dataWebhook }: SettingsChange,
): Deployment {
  const { endsAt, lifeSeconds, access: earlierAccess, withdrawal, dataWebhook: earlierUrl, ...rest } = before;
  const kept = life === undefined ? { endsAt, seconds: lifeSeconds } : life;
  const after = {
    ...rest,
    endsAt: kept?.endsAt,
    lifeSeconds: kept?.seconds,
    access: access === undefined ? earlierAccess : (access ?? undefined),
    withdrawal: withdrawnAt === undefined ? withdrawal : { at: withdrawnAt },
    dataWebhook: dataWebhook === undefined ? earlierUrl : (dataWebhook ?? undefined),
  };
  const defined = Object.entries(after).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as unknown as Deployment;
}

/** The data of a site before and after a deploy, which fails if it changed in between. */
export interface DataChange {
  readonly was: SiteData | undefined;
  readonly is: SiteData | undefined;
}

type DataPart = Part & Required<Pick<Update, 'names'>>;

/** Returns the part of an update that requires the data that a deploy knows, and changes it. */
export function dataUpdate(change: DataChange | undefined): DataPart {
  const none = { set: [], remove: [], values: {}, conditions: [], names: {} };
  if (!change) return none;
  const { was, is } = change;
  const isKnown = was
    ? {
        conditions: ['#data.#rules = :rules', '#data.#since = :since'],
        names: { data: 'data', rules: 'rules', since: 'since' },
        values: { rules: was.rules, since: was.since },
      }
    : { conditions: ['attribute_not_exists(#data)'], names: { data: 'data' }, values: {} };
  if (is?.rules === was?.rules && is?.since === was?.since) return { ...none, ...isKnown };
  if (!is) return { ...none, ...isKnown, remove: ['data'] };
  return { ...none, ...isKnown, set: ['#data = :data'], values: { ...isKnown.values, data: is } };
}

/** An attribute and its new value; undefined removes it. */
type Assignment = readonly [name: string, value: unknown];

function lifeUpdate(id: string, life: SettingsChange['life']): Assignment[] {
  if (life === undefined) return [];
  return [
    ['endsAt', life?.endsAt],
    [END_INDEX.shard, life ? id.slice(0, 1) : undefined],
    ['lifeSeconds', life?.seconds],
  ];
}

function joined(assignments: readonly (readonly Assignment[])[]): Omit<Part, 'conditions'> {
  const all = assignments.flat();
  const set = all.filter(([, value]) => value !== undefined);
  return {
    set: set.map(([name]) => `${name} = :${name}`),
    remove: all.filter(([, value]) => value === undefined).map(([name]) => name),
    values: Object.fromEntries(set),
  };
}
