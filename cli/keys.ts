import { type ApiKey, issueKey, issueSuccessor, keyCaller, keyState } from '../lambda/access/api-key.ts';
import { KeyStore } from '../lambda/access/key-store.ts';
import { UsageStore } from '../lambda/access/usage-store.ts';
import { usagePeriod, usageReport } from '../lambda/usage/usage-report.ts';
import { refuseArguments, runCommand, UsageError } from './command.ts';
import { idOfKey, knownScopes, requests, SCOPES } from './key-arguments.ts';
import { openStage, STAGE_OPTIONS, type Stage } from './stage.ts';
import { printTable } from './table.ts';
import { duration, expiry, timestamp } from './time.ts';
import { usageTable } from './usage-table.ts';

const USAGE = `npm run --silent keys -- create --name NAME [--scopes ${SCOPES}] [--limit REQUESTS] [--expires 90d|2027-01-31]
npm run keys -- list
npm run keys -- revoke ID
npm run --silent keys -- rotate ID [--grace 24h]
npm run keys -- usage ID [--from 2026-11-01] [--to 2026-11-21]

create and rotate print the new key, and nothing else, on stdout, where npm adds lines of its own without --silent.
A rotated key works for the grace time beside the one that takes its place, which has the same name, scopes and limit,
expires after the same time, and owns what the old one made. A revoked key stays so. usage counts the calls of all keys
of a rotation; without days it shows the last 30, in UTC. In place of an ID the key itself will do.

Works on the local service; --stack NAME works on a stack in your AWS account.`;

const OPTIONS = {
  name: { type: 'string' },
  scopes: { type: 'string' },
  limit: { type: 'string' },
  expires: { type: 'string' },
  grace: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  ...STAGE_OPTIONS,
} as const;

type Options = Partial<Record<keyof typeof OPTIONS, string>>;

interface Command {
  /** Its options, beside those of every command. */
  readonly options: readonly string[];
  /** The arguments that it has: a key, or none. */
  readonly keys: 0 | 1;
  readonly perform: (options: Options, key: string | undefined) => Promise<void>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  create: { options: ['name', 'scopes', 'limit', 'expires'], keys: 0, perform: create },
  list: { options: [], keys: 0, perform: list },
  revoke: { options: [], keys: 1, perform: revoke },
  rotate: { options: ['grace'], keys: 1, perform: rotate },
  usage: { options: ['from', 'to'], keys: 1, perform: usage },
};

await runCommand(USAGE, OPTIONS, async ({ values, positionals: [name, ...args] }) => {
  const commands = Object.keys(COMMANDS).join(', ');
  if (name === undefined) throw new UsageError(`Missing command: one of ${commands}`);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(`Unknown command ${name}: the commands are ${commands}`);
  const { stack, ...options } = values;
  const foreign = Object.keys(options).find((option) => !command.options.includes(option));
  if (foreign !== undefined) throw new UsageError(`${name} takes no --${foreign}`);
  refuseArguments(args.slice(command.keys));
  await command.perform(values, args[0]);
});

async function create({ stack, name, scopes, limit, expires }: Options): Promise<void> {
  if (!name?.trim()) throw new UsageError('create needs --name, to know the key again');
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

async function list({ stack }: Options): Promise<void> {
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

async function revoke({ stack }: Options, typed: string | undefined): Promise<void> {
  const id = idOfKey(typed, 'revoke');
  const keys = keyStore(await openStage(stack));
  const key = await find(keys, id);
  await keys.revoke(key.id, Date.now());
  console.error(`Key ${key.id} is revoked; it stops working everywhere within 60 seconds`);
}

async function rotate({ stack, grace = '24h' }: Options, typed: string | undefined): Promise<void> {
  const graceMs = duration(grace);
  if (graceMs === undefined) throw new UsageError('--grace is a time such as 24h, 30m or 7d');
  const id = idOfKey(typed, 'rotate');
  const keys = keyStore(await openStage(stack));
  const old = await find(keys, id);
  const now = Date.now();
  requireRotatable(old);
  const { key, record } = issueSuccessor(old, now);
  const replaced = await keys.replace(old, record, now + graceMs).catch(({ message }: Error) => {
    throw new Error(`Key ${id} may not be rotated yet (${message}): rotate it again`);
  });
  if (!replaced) throw new Error(`Key ${id} was rotated or revoked at the same time: see list`);
  console.error(`Key ${id} is ${stateText(replaced, now)}.`);
  console.error(`Key ${record.id} takes its place, ${stateText(record, now)}. It is shown this once:`);
  console.log(key);
}

/**
 * Who was cut off must not come back by a rotation, nor one key live on as two. One that has expired may be rotated: there is
 * no other way for its owner to what it made.
 */
function requireRotatable({ id, revokedAt, rotatedAt, successor = 'see list' }: ApiKey): void {
  if (revokedAt !== undefined) throw new Error(`Key ${id} was revoked: create a new one`);
  if (rotatedAt !== undefined)
    throw new Error(`Key ${id} was rotated already: rotate the one that took its place (${successor})`);
}

async function usage({ stack, from, to }: Options, typed: string | undefined): Promise<void> {
  const period = usagePeriod({ from, to }, Date.now());
  const id = idOfKey(typed, 'usage');
  const stage = await openStage(stack);
  const key = await find(keyStore(stage), id);
  const entries = await new UsageStore(stage.db, stage.output('UsageTable')).read(keyCaller(key), period);
  console.error(`Usage of key ${key.id} for ${key.name}, from ${period.from} to ${period.to} (UTC)`);
  if (entries.length === 0) return console.error('No calls');
  printTable(usageTable(entries, usageReport(entries, period).totals));
}

function keyStore({ db, output }: Stage): KeyStore {
  return new KeyStore(db, output('ApiKeysTable'));
}

async function find(keys: KeyStore, id: string): Promise<ApiKey> {
  const key = await keys.find(id);
  if (!key) throw new UsageError(`There is no key ${id}`);
  return key;
}

function stateText(key: ApiKey, now: number): string {
  const state = keyState(key, now);
  const since = state === 'revoked' ? key.revokedAt : key.expiresAt;
  const time = since === undefined ? '' : ` ${state === 'valid' ? 'until ' : ''}${timestamp(since)}`;
  return `${key.rotatedAt === undefined ? '' : 'rotated, '}${state}${time}`;
}
