import {
  type ApiKey,
  issueKey,
  issueSuccessor,
  KeyStore,
  keyCaller,
  keyState,
} from '../lambda/access/keys.ts';
import { UsageStore } from '../lambda/access/usage.ts';
import { usagePeriod, usageReport } from '../lambda/access/usage-report.ts';
import { OPERATIONS, type Operation } from '../lambda/contract/operations.ts';
import { runCommand, UsageError } from './command.ts';
import { openStage, type Stage } from './stage.ts';
import { printTable } from './table.ts';
import { duration, expiry, timestamp } from './time.ts';
import { usageTable } from './usage-table.ts';

const SCOPES = [...new Set(Object.values<Operation>(OPERATIONS).flatMap(({ scope }) => scope ?? []))];

const USAGE = `npm run keys -- create --name NAME [--scopes ${SCOPES}] [--limit REQUESTS] [--expires 90d|2027-01-31]
npm run keys -- list
npm run keys -- revoke ID
npm run keys -- rotate ID [--grace 24h]
npm run keys -- usage ID [--from 2026-11-01] [--to 2026-11-21]

create and rotate print the new key, and nothing else, on stdout. A rotated key works for the grace time beside the one
that takes its place, which has the same name, scopes and limit, expires after the same time, and owns what the old one
made. usage counts the calls of both; without days it shows the last 30, in UTC.

Works on the local service; --stack NAME works on a stack in your AWS account.`;

const OPTIONS = {
  name: { type: 'string' },
  scopes: { type: 'string' },
  limit: { type: 'string' },
  expires: { type: 'string' },
  grace: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
} as const;

type Options = Partial<Record<keyof typeof OPTIONS | 'stack', string>>;

const COMMANDS: Record<string, (id: string | undefined, options: Options) => Promise<void>> = {
  create,
  list,
  revoke,
  rotate,
  usage,
};

await runCommand(USAGE, OPTIONS, async ({ values, positionals: [name, id, ...more] }) => {
  if (name === undefined) throw new UsageError('What should be done?');
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(`There is no command ${name}`);
  if (more.length > 0) throw new UsageError(`One key at a time: what is ${more.join(' ')}?`);
  await command(id, values);
});

async function create(_: string | undefined, { stack, name, scopes, limit, expires }: Options) {
  if (!name) throw new UsageError('create needs --name, to know the key again');
  if (/\p{Cc}/u.test(name)) throw new UsageError('--name is one line of text');
  const now = Date.now();
  const { key, record } = issueKey(
    {
      name,
      scopes: knownScopes(scopes),
      ...(limit === undefined ? {} : { limit: requests(limit) }),
      ...(expires === undefined ? {} : { expiresAt: expiry(expires, now) }),
    },
    now,
  );
  const keys = keyStore(await openStage(stack));
  await keys.add(record);
  console.error(`Key ${record.id} for ${name}, ${stateText(record, now)}. It is shown this once:`);
  console.log(key);
}

async function list(_: string | undefined, { stack }: Options): Promise<void> {
  const keys = keyStore(await openStage(stack));
  const all = (await keys.list()).toSorted((a, b) => a.createdAt - b.createdAt);
  if (all.length === 0) return console.error('No keys yet');
  const now = Date.now();
  printTable({
    header: ['ID', 'NAME', 'SCOPES', 'LIMIT', 'CREATED', 'STATE'],
    rows: all.map((key) => [
      key.id,
      key.name,
      key.scopes.join(',') || '-',
      key.limit?.toString() ?? 'default',
      timestamp(key.createdAt),
      stateText(key, now),
    ]),
  });
}

async function revoke(id: string | undefined, { stack }: Options): Promise<void> {
  const keys = keyStore(await openStage(stack));
  const key = await find(keys, id, 'revoke');
  await keys.revoke(key.id, Date.now());
  console.error(`Key ${key.id} is revoked; it stops working everywhere within 60 seconds`);
}

async function rotate(id: string | undefined, { stack, grace = '24h' }: Options): Promise<void> {
  const graceMs = duration(grace);
  if (graceMs === undefined) throw new UsageError('--grace is a time such as 24h, 30m or 7d');
  const keys = keyStore(await openStage(stack));
  const old = await find(keys, id, 'rotate');
  if (old.rotatedAt !== undefined)
    throw new UsageError(`Key ${old.id} was rotated already: rotate the one that took its place`);
  const now = Date.now();
  const { key, record } = issueSuccessor(old, now);
  const replaced = await keys.replace(old, record, now + graceMs);
  console.error(`Key ${replaced.id} is ${stateText(replaced, now)}.`);
  console.error(`Key ${record.id} takes its place, ${stateText(record, now)}. It is shown this once:`);
  console.log(key);
}

async function usage(id: string | undefined, { stack, from, to }: Options): Promise<void> {
  const period = usagePeriod({ from, to }, Date.now());
  const stage = await openStage(stack);
  const key = await find(keyStore(stage), id, 'usage');
  const entries = await new UsageStore(stage.db, stage.output('UsageTable')).read(keyCaller(key), period);
  console.error(`Usage of key ${key.id} for ${key.name}, from ${period.from} to ${period.to} (UTC)`);
  if (entries.length === 0) return console.error('No calls');
  printTable(usageTable(entries, usageReport(entries, period).totals));
}

function keyStore({ db, output }: Stage): KeyStore {
  return new KeyStore(db, output('ApiKeysTable'));
}

async function find(keys: KeyStore, id: string | undefined, command: string): Promise<ApiKey> {
  if (!id) throw new UsageError(`${command} needs the ID of a key, as list shows it`);
  const key = await keys.find(id);
  if (!key) throw new UsageError(`There is no key ${id}`);
  return key;
}

function knownScopes(text = ''): string[] {
  const scopes = [...new Set(text.split(/[\s,]+/))].filter((scope) => scope !== '');
  const unknown = scopes.find((scope) => !SCOPES.includes(scope));
  if (unknown === undefined) return scopes;
  throw new UsageError(`There is no scope ${unknown}, only ${SCOPES.join(', ')}`);
}

function requests(limit: string): number {
  const count = Number(limit);
  if (Number.isInteger(count) && count > 0) return count;
  throw new UsageError('--limit is a number of requests, 1 or more');
}

function stateText(key: ApiKey, now: number): string {
  const state = keyState(key, now);
  const since = state === 'revoked' ? key.revokedAt : key.expiresAt;
  const time = since === undefined ? '' : ` ${state === 'valid' ? 'until ' : ''}${timestamp(since)}`;
  return `${key.rotatedAt === undefined ? '' : 'rotated, '}${state}${time}`;
}
