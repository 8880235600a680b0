import { END_INDEX } from '../../platform/env.ts';
import type { Deployment } from '../../stored/deployment.ts';
import type { Access } from '../../stored/page-access.ts';
import type { Update } from '../store/pointer-update.ts';

/** How long a deployment stays. */
export interface Life {
  /** Unix milliseconds. */
  readonly endsAt: number;
  /** Its length, if a request chose it. */
  readonly seconds?: number | undefined;
}

/** What a request changes of a deployment besides its files. What is undefined stays. */
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
}

type Part = Required<Pick<Update, 'set' | 'remove' | 'values' | 'conditions'>>;

/** Returns the part of an update that changes the settings of a deployment. */
export function settingsUpdate(
  id: string,
  { life, renewed, access, withdrawnAt, staysPrivate }: SettingsChange,
): Part {
  const assigned = joined([
    lifeUpdate(id, life),
    access === undefined ? [] : [['access', access ?? undefined]],
    withdrawnAt === undefined ? [] : [['withdrawal', { at: withdrawnAt }]],
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
export function withSettings(before: Deployment, { life, access, withdrawnAt }: SettingsChange): Deployment {
  const { endsAt, lifeSeconds, access: earlierAccess, withdrawal, ...rest } = before;
  const kept = life === undefined ? { endsAt, seconds: lifeSeconds } : life;
  const after = {
    ...rest,
    endsAt: kept?.endsAt,
    lifeSeconds: kept?.seconds,
    access: access === undefined ? earlierAccess : (access ?? undefined),
    withdrawal: withdrawnAt === undefined ? withdrawal : { at: withdrawnAt },
  };
  const defined = Object.entries(after).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as unknown as Deployment;
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
