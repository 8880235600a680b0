import type { Command } from 'commander';
import { type ApiKey, issueKey, issueSuccessor, keyCaller, keyState } from '../lambda/access/api-key.ts';
import type { Budget } from '../lambda/access/budgets.ts';
import { KeyStore } from '../lambda/access/key-store.ts';
import { UsageStore } from '../lambda/access/usage-store.ts';
import { ApiError } from '../lambda/contract/errors.ts';
import { OPERATIONS, type Operation } from '../lambda/contract/operations.ts';
import { type Period, usageQuery } from '../lambda/contract/queries.ts';
import { checkedQuery } from '../lambda/http/input.ts';
import { usagePeriod, usageReport } from '../lambda/usage/usage-report.ts';
import { WebhookSecretStore } from '../lambda/webhooks/secret-store.ts';
import {
  type CommandIo,
  main as command,
  EXIT_CODES_OF_OPERATORS,
  runProcess,
  UsageError,
} from '../terminal/program.ts';
import { expiry, graceMs, printTable, timestamp } from '../terminal/text.ts';
import { addStageOption, openStage, type Stage } from './stage.ts';
import { usageTable } from './usage-table.ts';

/** The options of all `npm run keys` commands. */
interface KeyOptions {
  readonly name?: string;
  readonly scopes?: string;
  readonly limit?: string;
  readonly budget?: string;
  readonly expires?: string;
  readonly grace?: string;
  readonly rotate?: boolean;
  readonly from?: string;
  readonly to?: string;
  readonly stack?: string;
}

/** A subcommand, with the key that is its argument. */
type KeyAction = (options: KeyOptions, key: string | undefined, io: CommandIo) => Promise<void>;

/** Every scope that a key can have. */
export const SCOPES = [...new Set(Object.values<Operation>(OPERATIONS).flatMap(({ scope }) => scope ?? []))];

const KEY_OR_ID = /^(?:ptp_)?([0-9A-Za-z]{12})(?:_\w*)?$/;

/**
 * Returns the id in an argument: an id, a key, or the beginning of one.
 * @throws UsageError without the argument, which may contain a secret
 */
export function idOfKey(text: string | undefined, command: string): string {
  const id = KEY_OR_ID.exec(text ?? '')?.[1];
  if (id !== undefined) return id;
  throw new UsageError(`${command} needs the ID of a key, as list shows it, or the key itself`);
}

/** Returns the scopes in `--scopes a,b`. @throws UsageError for an unknown scope */
function knownScopes(text = ''): string[] {
  const scopes = [...new Set(text.split(/[\s,]+/))].filter((scope) => scope !== '');
  const unknown = scopes.find((scope) => !SCOPES.includes(scope));
  if (unknown === undefined) return scopes;
  throw new UsageError(`Unknown scope ${unknown}: the scopes are ${SCOPES.join(', ')}`);
}

/** Returns the requests per window in `--limit 500`. @throws UsageError unless it is a decimal number from 1 */
function requests(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count > 0 && Number.isSafeInteger(count)) return count;
  throw new UsageError(`Invalid --limit "${text}": expected a number of requests, 1 or more`);
}

const BUDGET = /^(?:(?<tokens>\d{1,15}) ?tokens|\$?(?<usd>\d{1,9}(?:\.\d{1,6})?))$/;

/**
 * Returns the budget in `--budget 5`, US dollars a day, or `--budget 2000000tokens`.
 * @throws UsageError for anything else
 */
function dailyBudget(text: string): Budget {
  const { tokens, usd } = BUDGET.exec(text.trim())?.groups ?? {};
  if (tokens !== undefined) return { tokens: Number(tokens) };
  if (usd !== undefined) return { usd: Number(usd) };
  throw new UsageError(
    `Invalid --budget "${text}": expected US dollars a day such as 5 or 0.50, or tokens a day such as 2000000tokens`,
  );
}

/** Returns a budget as `list` shows it, such as `$5.00`. */
function budgetText({ usd, tokens }: Budget = {}): string {
  if (usd !== undefined) return `$${usd.toFixed(2)}`;
  return tokens === undefined ? 'default' : `${tokens} tokens`;
}

/** Returns the period of `--from` and `--to`. @throws UsageError for an invalid day or period */
function period({ from, to }: KeyOptions, now: number): Period {
  const query = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  try {
    return usagePeriod(checkedQuery({ query }, usageQuery), now);
  } catch (error) {
    throw error instanceof ApiError ? new UsageError(error.message) : error;
  }
}

const NOTES = `
create and rotate print the new key, and nothing else, on stdout. Without
--silent, npm adds lines of its own:
  npm run --silent keys -- create --name ci --scopes ${SCOPES.join(',')}

A revoked key cannot be restored. <id> can also be the key itself.

${EXIT_CODES_OF_OPERATORS}`;

export const main = command('npm run keys --', (program, io) => {
  const subcommand = (name: string, description: string, perform: KeyAction): Command =>
    program
      .command(name)
      .description(description)
      .action((...args) => {
        const own = args.at(-1) as Command;
        return perform(own.optsWithGlobals(), own.args[0], io);
      });
  addStageOption(program).description('Manages the API keys of a service').addHelpText('after', NOTES);
  subcommand('create', 'create a key', create)
    .option('--name <name>', 'the name of the key in list')
    .option('--scopes <scopes>', `of: ${SCOPES.join(', ')}`)
    .option('--limit <requests>', 'requests per rate limit window')
    .option('--budget <amount>', 'what its generations may cost a day (UTC): US dollars, or such as 2000000tokens')
    .option('--expires <when>', 'after a duration such as 90d, or at the end of a day such as 2027-01-31');
  subcommand('list', 'list all keys', list);
  subcommand('revoke', 'revoke a key', revoke).argument('<id>');
  subcommand('rotate', 'replace a key with one of the same owner, name, scopes, limit, budget and lifetime', rotate)
    .argument('<id>')
    .option('--grace <duration>', 'how long the old key keeps working (default: 24h)');
  subcommand('usage', 'count the calls of a key and of the keys of its rotations', usage)
    .argument('<id>')
    .option('--from <day>', 'such as 2026-11-01, in UTC (default: 29 days before --to)')
    .option('--to <day>', 'inclusive (default: today)');
  subcommand('webhook-secret', 'print the secret that signs the webhooks of a key and its rotations', webhookSecret)
    .argument('<id>')
    .option('--rotate', 'replace the secret')
    .option('--grace <duration>', 'how long the replaced secret also signs (default: 24h)');
});

const create: KeyAction = async ({ stack, name, scopes, limit, budget, expires }, _, io) => {
  if (!name?.trim()) throw new UsageError('create needs --name, the name of the key in list');
  if (/\p{Cc}/u.test(name)) throw new UsageError('Invalid --name: it must not contain control characters');
  const now = Date.now();
  const { key, record } = issueKey(
    {
      name,
      scopes: knownScopes(scopes),
      ...(limit === undefined ? {} : { limit: requests(limit) }),
      ...(budget === undefined ? {} : { budget: dailyBudget(budget) }),
      ...(expires === undefined ? {} : { expiresAt: expiry(expires, now) }),
    },
    now,
  );
  using stage = await openStage(stack, io.env);
  await keyStore(stage).add(record);
  io.stderr.write(`Key ${record.id} for ${name}, ${stateText(record, now)}. It is shown only once:\n`);
  io.stdout.write(`${key}\n`);
};

const list: KeyAction = async ({ stack }, _, { stdout, stderr, env }) => {
  using stage = await openStage(stack, env);
  const keys = (await keyStore(stage).list()).toSorted((a, b) => a.createdAt - b.createdAt);
  if (keys.length === 0) return void stderr.write('No keys yet\n');
  const now = Date.now();
  const rows = keys.map((key) => [
    key.id,
    key.name,
    key.scopes.join(',') || '-',
    key.limit?.toString() ?? 'default',
    budgetText(key.budget),
    timestamp(key.createdAt),
    stateText(key, now),
  ]);
  printTable({ header: ['ID', 'NAME', 'SCOPES', 'LIMIT', 'BUDGET', 'CREATED', 'STATE'], rows }, stdout);
};

const revoke: KeyAction = async ({ stack }, argument, { stderr, env }) => {
  const id = idOfKey(argument, 'revoke');
  using stage = await openStage(stack, env);
  const keys = keyStore(stage);
  await find(keys, id);
  await keys.revoke(id, Date.now());
  stderr.write(`Key ${id} is revoked. It stops working everywhere within 60 seconds\n`);
};

const rotate: KeyAction = async ({ stack, grace = '24h' }, argument, { stdout, stderr, env }) => {
  const overlapMs = graceMs(grace);
  const id = idOfKey(argument, 'rotate');
  using stage = await openStage(stack, env);
  const keys = keyStore(stage);
  const old = await find(keys, id);
  const now = Date.now();
  requireRotatable(old);
  const { key, record } = issueSuccessor(old, now);
  const replaced = await keys.replace(old, record, now + overlapMs).catch(({ message }: Error) => {
    throw new Error(`Key ${id} may not have been rotated (${message}): run rotate again`);
  });
  if (!replaced) throw new Error(`Key ${id} was rotated or revoked at the same time: run list to see which`);
  stderr.write(`Key ${id} is ${stateText(replaced, now)}.\n`);
  stderr.write(`Key ${record.id} replaces it, ${stateText(record, now)}. It is shown only once:\n`);
  stdout.write(`${key}\n`);
};

/**
 * A rotation must neither restore a revoked key nor replace one key with two. An expired key can be rotated, because
 * its owner has no other way back to its resources.
 */
function requireRotatable({ id, revokedAt, rotatedAt, successor = 'see list' }: ApiKey): void {
  if (revokedAt !== undefined) throw new Error(`Key ${id} was revoked: create a new one`);
  if (rotatedAt !== undefined)
    throw new Error(`Key ${id} was rotated before: rotate the key that replaced it (${successor})`);
}

const usage: KeyAction = async ({ stack, ...options }, argument, { stdout, stderr, env }) => {
  const days = period(options, Date.now());
  const id = idOfKey(argument, 'usage');
  using stage = await openStage(stack, env);
  const key = await find(keyStore(stage), id);
  const entries = await new UsageStore(stage.db, stage.output('UsageTable')).read(keyCaller(key), days);
  stderr.write(`Usage of key ${id} for ${key.name}, from ${days.from} to ${days.to} (UTC)\n`);
  if (entries.length === 0) return void stderr.write('No calls\n');
  printTable(usageTable(entries, usageReport(entries, days).totals), stdout);
};

const webhookSecret: KeyAction = async ({ stack, rotate, grace }, argument, io) => {
  if (grace !== undefined && !rotate) throw new UsageError('--grace needs --rotate');
  const until = Date.now() + graceMs(grace ?? '24h');
  const id = idOfKey(argument, 'webhook-secret');
  using stage = await openStage(stack, io.env);
  const owner = keyCaller(await find(keyStore(stage), id));
  const secrets = new WebhookSecretStore(stage.db, stage.output('WebhookSecretsTable'));
  const { secret, formerUntil = 0 } = await (rotate ? secrets.rotate(owner, until) : secrets.get(owner));
  if (formerUntil > Date.now())
    io.stderr.write(`Notifications are also signed with the former secret until ${timestamp(formerUntil)}\n`);
  io.stdout.write(`${secret}\n`);
};

function keyStore({ db, output }: Stage): KeyStore {
  return new KeyStore(db, output('ApiKeysTable'));
}

async function find(keys: KeyStore, id: string): Promise<ApiKey> {
  const key = await keys.find(id);
  if (!key) throw new Error(`There is no key ${id}`);
  return key;
}

/** Returns for example `rotated, valid until 2026-11-21T10:00:00Z`. */
function stateText(key: ApiKey, now: number): string {
  const state = keyState(key, now);
  const since = state === 'revoked' ? key.revokedAt : key.expiresAt;
  const time = since === undefined ? '' : ` ${state === 'valid' ? 'until ' : ''}${timestamp(since)}`;
  return `${key.rotatedAt === undefined ? '' : 'rotated, '}${state}${time}`;
}

if (import.meta.main) await runProcess(main);
