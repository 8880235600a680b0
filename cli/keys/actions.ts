import { type ApiKey, issueKey, issueSuccessor, keyCaller, keyState } from '../../lambda/access/api-key.ts';
import { KeyStore } from '../../lambda/access/key-store.ts';
import { UsageStore } from '../../lambda/access/usage-store.ts';
import { usageReport } from '../../lambda/usage/usage-report.ts';
import { WebhookSecretStore } from '../../lambda/webhooks/secret-store.ts';
import { UsageError } from '../../terminal/program.ts';
import { printTable } from '../../terminal/table.ts';
import { expiry, graceMs, timestamp } from '../../terminal/time.ts';
import { openStage, type Stage } from '../stage.ts';
import {
  budgetText,
  dailyBudget,
  idOfKey,
  type KeyAction,
  knownScopes,
  period,
  requests,
} from './arguments.ts';
import { usageTable } from './usage-table.ts';

export const create: KeyAction = async ({ stack, name, scopes, limit, budget, expires }, _, io) => {
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

export const list: KeyAction = async ({ stack }, _, { stdout, stderr, env }) => {
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

export const revoke: KeyAction = async ({ stack }, argument, { stderr, env }) => {
  const id = idOfKey(argument, 'revoke');
  using stage = await openStage(stack, env);
  const keys = keyStore(stage);
  await find(keys, id);
  await keys.revoke(id, Date.now());
  stderr.write(`Key ${id} is revoked. It stops working everywhere within 60 seconds\n`);
};

export const rotate: KeyAction = async ({ stack, grace = '24h' }, argument, { stdout, stderr, env }) => {
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

export const usage: KeyAction = async ({ stack, ...options }, argument, { stdout, stderr, env }) => {
  const days = period(options, Date.now());
  const id = idOfKey(argument, 'usage');
  using stage = await openStage(stack, env);
  const key = await find(keyStore(stage), id);
  const entries = await new UsageStore(stage.db, stage.output('UsageTable')).read(keyCaller(key), days);
  stderr.write(`Usage of key ${id} for ${key.name}, from ${days.from} to ${days.to} (UTC)\n`);
  if (entries.length === 0) return void stderr.write('No calls\n');
  printTable(usageTable(entries, usageReport(entries, days).totals), stdout);
};

export const webhookSecret: KeyAction = async ({ stack, rotate, grace }, argument, io) => {
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
