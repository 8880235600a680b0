import { UsageError } from '../../terminal/program.ts';
import type { Table } from '../../terminal/table.ts';
import { openStorage, type Stage, type Storage } from '../stage.ts';
import { type Copied, RESTORED, type RestoredName, restoredIn } from './restored.ts';

export interface PlanOptions {
  readonly at?: string;
  readonly fromStack?: string;
  readonly fromRegion?: string;
  readonly from?: readonly string[];
  readonly only?: readonly string[];
}

/** What is copied into a stack, and from where. */
export interface Plan {
  /** Where the source is. */
  readonly source: Storage;
  readonly copied: readonly Copied[];
  /** The tables are restored as of this time first. */
  readonly at: Date | undefined;
  /** Whether the source is another stack. */
  readonly isOther: boolean;
}

const NAMES: readonly string[] = RESTORED.map(({ name }) => name);

/** What `--only` is about. Nothing else of the stack changes then, its secrets neither. */
const ONE_BY_ONE: readonly string[] = ['assets', 'asset-files', 'deployments', 'archives'];

/** `2026-11-24T03:00Z`, with or without seconds, in UTC or with an offset. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/;

/** Returns what a restore copies. @throws UsageError for options that make no sense */
export async function planOf(options: PlanOptions, stage: Stage): Promise<Plan> {
  const { fromStack, fromRegion, from = [] } = options;
  const at = options.at === undefined ? undefined : timeOf(options.at);
  if (at === undefined && fromStack === undefined && from.length === 0)
    throw new UsageError('Name what to restore from: --at, --from-stack or --from');
  if (stage.isLocal && fromRegion !== undefined)
    throw new UsageError('--from-region needs a stack on AWS: add --stack');
  if (at && fromRegion !== undefined)
    throw new UsageError(
      '--at and --from-region exclude each other: tables are restored in their own region first',
    );
  const source = fromRegion === undefined ? stage : openStorage(fromRegion);
  const target = restoredIn(await stage.resources(stage.stackName));
  const named = namedSources(from);
  const isOwn = fromStack === undefined || (fromStack === stage.stackName && fromRegion === undefined);
  const listed = isOwn ? ofOwn(target, at) : restoredIn(await source.resources(fromStack));
  const sources = { ...listed, ...named };
  const wanted = options.only ? RESTORED.filter(({ name }) => ONE_BY_ONE.includes(name)) : RESTORED;
  const copied = wanted.flatMap((restored): Copied[] => {
    const [source, to] = [sources[restored.name], target[restored.name]];
    return source === undefined || to === undefined ? [] : [{ ...restored, from: source, to }];
  });
  requireSource(copied);
  return { source, copied: withOwnBuckets(copied, target), at, isOther: !isOwn || named.ids !== undefined };
}

/** Returns a time of the past. @throws UsageError */
function timeOf(text: string): Date {
  const at = new Date(text);
  if (!TIME.test(text) || Number.isNaN(at.getTime()))
    throw new UsageError(`Invalid --at ${text}: expected a time such as 2026-11-24T03:00Z`);
  if (at.getTime() > Date.now()) throw new UsageError(`Invalid --at ${text}: it is in the future`);
  return at;
}

/** Returns `deployments=name` by name. @throws UsageError */
function namedSources(from: readonly string[]): Partial<Record<RestoredName, string>> {
  return Object.fromEntries(
    from.map((text) => {
      const [name = '', ...physical] = text.split('=');
      if (NAMES.includes(name) && physical.join('=') !== '') return [name, physical.join('=')];
      throw new UsageError(`Invalid --from ${text}: expected one of ${NAMES.join(', ')}, "=" and a name`);
    }),
  );
}

/** A stack restores its own tables only to another time, and its secrets are its own already. */
function ofOwn(
  target: Partial<Record<RestoredName, string>>,
  at: Date | undefined,
): Partial<Record<RestoredName, string>> {
  if (!at) return {};
  const { ids: _, tokens: __, ...others } = target;
  return others;
}

function requireSource(copied: readonly Copied[]): void {
  if (copied.some(({ kind }) => kind !== 'bucket')) return;
  throw new Error('There is nothing to restore: the source has no table and no secret of this service');
}

/** Objects that items name are looked for in the stack's own bucket if no other is named. */
function withOwnBuckets(copied: readonly Copied[], target: Partial<Record<RestoredName, string>>): Copied[] {
  return RESTORED.flatMap((restored): Copied[] => {
    const found = copied.find(({ name }) => name === restored.name);
    const own = target[restored.name];
    if (found) return [found];
    return restored.kind === 'bucket' && own !== undefined ? [{ ...restored, from: own, to: own }] : [];
  });
}

/** Returns what a plan does, as a table. */
export function planTable({ copied, at }: Plan): Table {
  const rows = copied.map(({ name, kind, what, from, to }) => {
    const time = at && kind === 'table' ? ` as of ${at.toISOString()}` : '';
    const own = kind === 'bucket' && from === to ? 'its own versions' : `${from}${time}`;
    return [name, kind, own, to, what];
  });
  return { header: ['what', 'kind', 'from', 'to', 'which has'], rows };
}
