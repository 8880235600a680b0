import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { UsageError } from '../../terminal/program.ts';
import type { Table } from '../../terminal/text.ts';
import { openStorage, type Stage, type Storage } from '../stage.ts';
import { type Copied, RESTORED, type RestoredName, restoredIn } from './items.ts';

export interface PlanOptions {
  readonly at?: string;
  readonly fromStack?: string;
  readonly fromRegion?: string;
  readonly from?: readonly string[];
  readonly only?: readonly string[];
}

/** The resources that are copied into a stack, and their sources. */
export interface Plan {
  readonly source: Storage;
  readonly copied: readonly Copied[];
  /** The time to which the tables are restored before they are copied. */
  readonly at: Date | undefined;
  /** Whether the source is another stack. */
  readonly isOther: boolean;
}

const NAMES: readonly string[] = RESTORED.map(({ name }) => name);

/** The resources that `--only` restores. Nothing else changes, including secrets. */
const ONE_BY_ONE: readonly string[] = ['assets', 'asset-files', 'deployments', 'archives', 'data'];

/** `2026-11-24T03:00Z`, with or without seconds, in UTC or with an offset. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/;

/** Returns the plan of a restore. @throws UsageError for invalid options */
export async function planOf(options: PlanOptions, stage: Stage): Promise<Plan> {
  const { fromStack, fromRegion, from = [] } = options;
  const at = options.at === undefined ? undefined : timeOf(options.at);
  if (at === undefined && fromStack === undefined && from.length === 0)
    throw new UsageError('No source: pass --at, --from-stack or --from');
  if (stage.isLocal && fromRegion !== undefined)
    throw new UsageError('--from-region requires a stack on AWS: add --stack');
  if (at && fromRegion !== undefined)
    throw new UsageError('--at cannot be used with --from-region: DynamoDB restores tables within their own region');
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

/** Parses `--at`. @throws UsageError for an invalid or future time */
function timeOf(text: string): Date {
  const at = new Date(text);
  if (!TIME.test(text) || Number.isNaN(at.getTime()))
    throw new UsageError(`Invalid --at ${text}: expected a time such as 2026-11-24T03:00Z`);
  if (at.getTime() > Date.now()) throw new UsageError(`Invalid --at ${text}: it is in the future`);
  return at;
}

/** Parses values of `--from`, such as `deployments=my-table`. @throws UsageError */
function namedSources(from: readonly string[]): Partial<Record<RestoredName, string>> {
  return Object.fromEntries(
    from.map((text) => {
      const [name = '', ...physical] = text.split('=');
      if (NAMES.includes(name) && physical.join('=') !== '') return [name, physical.join('=')];
      throw new UsageError(`Invalid --from ${text}: expected one of ${NAMES.join(', ')}, "=" and a name`);
    }),
  );
}

/**
 * Returns the stack's own resources as sources: only for a restore to another time, and without its secrets, which do
 * not change.
 */
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
  throw new Error('Nothing to restore: the source has no tables or secrets of this service');
}

/** Adds the stack's own buckets as sources of objects, unless others are specified. */
function withOwnBuckets(copied: readonly Copied[], target: Partial<Record<RestoredName, string>>): Copied[] {
  return RESTORED.flatMap((restored): Copied[] => {
    const found = copied.find(({ name }) => name === restored.name);
    const own = target[restored.name];
    if (found) return [found];
    return restored.kind === 'bucket' && own !== undefined ? [{ ...restored, from: own, to: own }] : [];
  });
}

/** Describes a plan as a table. */
export function planTable({ copied, at }: Plan): Table {
  const rows = copied.map(({ name, kind, what, from, to }) => {
    const time = at && kind === 'table' ? ` as of ${at.toISOString()}` : '';
    const own = kind === 'bucket' && from === to ? 'its own versions' : `${from}${time}`;
    return [name, kind, own, to, what];
  });
  return { header: ['what', 'kind', 'from', 'to', 'contents'], rows };
}

interface Ends {
  readonly from: SecretsManagerClient;
  readonly to: SecretsManagerClient;
}

/** Returns the secrets whose values differ from the stack's. */
export async function differingSecrets(secrets: readonly Copied[], ends: Ends): Promise<Copied[]> {
  const differ = await Promise.all(
    secrets.map(async ({ from, to }) => (await textOf(from, ends.from)) !== (await textOf(to, ends.to))),
  );
  return secrets.filter((_, i) => differ[i]);
}

/**
 * Copies the value of another secret to the stack's own. One value contains the secrets of all tokens. The former value
 * remains as AWSPREVIOUS.
 */
export async function copySecret({ from, to }: Copied, ends: Ends): Promise<void> {
  const SecretString = await textOf(from, ends.from);
  await ends.to.send(new PutSecretValueCommand({ SecretId: to, SecretString }));
}

async function textOf(SecretId: string, client: SecretsManagerClient): Promise<string> {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
  if (SecretString === undefined) throw new Error(`The secret ${SecretId} has no text value`);
  return SecretString;
}
