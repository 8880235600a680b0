import { exec } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { main as limits } from '../../cli/limits.ts';
import { newKey as generateKey, keyId } from '../../lambda/access/api-key.ts';
import { UsageStore } from '../../lambda/access/usage-store.ts';
import type { OperatorFile } from '../../local/cloud/cloud.ts';
import { newCaller } from '../support/cloud/client.ts';
import { cloud } from '../support/cloud/cloud.ts';
import { keys, operate } from '../support/cloud/keys.ts';
import { testRows } from '../support/rows.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Creates or rotates a key and returns the new key and its id. */
async function newKey(command: string, ...args: string[]) {
  const printed = await keys(command, ...args);
  expect(printed).toMatch(/^ptp_[0-9A-Za-z]{12}_[0-9a-f]{48}_[0-9a-f]{8}\n$/);
  const key = printed.trim();
  return { key, id: String(keyId(key)) };
}
const create = (...args: string[]) => newKey('create', '--name', 'me', ...args);

/** Returns the cells of a key in the list. */
async function listed(id: string) {
  const line = (await keys('list')).split('\n').find((row) => row.startsWith(id));
  const [, name, scopes, limit, budget, created, state] = line?.split('\t') ?? [];
  return { name, scopes, limit, budget, created, state };
}

/** Returns the time in a state such as `valid until 2026-11-21T10:00:00Z`. */
const timeIn = (state = '') => Date.parse(state.split(' ').at(-1) ?? '');

const { outputs, endpoint, region, ...credentials } = JSON.parse(
  readFileSync(join(cloud().stateDir, 'operator.json'), 'utf8'),
) as OperatorFile;
const client = new DynamoDBClient({ endpoint, region, credentials });
const db = DynamoDBDocumentClient.from(client);
afterAll(() => client.destroy());

/** Sends a request that only counts against the key's limit. */
async function use(key: string) {
  const { status, headers } = await newCaller().post('/api/v1/nothing', {}, { authorization: `Bearer ${key}` });
  return { status, remaining: headers['x-ratelimit-remaining'] };
}

describe('npm run keys', () => {
  testRows([
    ['5', '$5.00'],
    ['$0.25', '$0.25'],
    ['2000000tokens', '2000000 tokens'],
  ])('gives a key a budget of its own', async (budget, shown) => {
    const { id } = await create('--budget', budget);
    expect((await listed(id)).budget).toBe(shown);
  });

  it('prints only the new key, lists it without its secret, and revokes it', async () => {
    const { key, id } = await create('--scopes', 'assets:write', '--limit', '7');
    expect(await use(key)).toEqual({ status: 404, remaining: '6' });
    const { created, ...rest } = await listed(id);
    expect(rest).toEqual({
      name: 'me',
      scopes: 'assets:write',
      limit: '7',
      budget: 'default',
      state: 'valid',
    });
    expect(Math.abs(Date.parse(created ?? '') - Date.now())).toBeLessThan(MINUTE);
    const [, , secret = ''] = key.split('_');
    expect(await keys('list')).not.toContain(secret);

    const { key: unused, id: revoked } = await create();
    await keys('revoke', revoked);
    expect((await listed(revoked)).state).toMatch(/^revoked /);
    expect((await use(unused)).status).toBe(401);
  });

  it('creates keys that expire after a duration, or at the end of a day', async () => {
    const { id } = await create('--expires', '90d');
    const { state } = await listed(id);
    expect(state).toMatch(/^valid until /);
    expect(Math.abs(timeIn(state) - Date.now() - 90 * DAY)).toBeLessThan(MINUTE);
    const { id: until } = await create('--expires', '2099-01-31');
    expect((await listed(until)).state).toBe('valid until 2099-02-01T00:00:00Z');
  });

  it('rotates a key: both keys work for the grace time and count as one', async () => {
    const args = ['--scopes', 'assets:write', '--limit', '7', '--budget', '0.5', '--expires', '90d'];
    const old = await create(...args);
    const young = await newKey('rotate', old.id);
    expect(await use(old.key)).toEqual({ status: 404, remaining: '6' });
    expect(await use(young.key)).toEqual({ status: 404, remaining: '5' });
    const [before, after] = [await listed(old.id), await listed(young.id)];
    expect(after).toMatchObject({ name: 'me', scopes: 'assets:write', limit: '7', budget: '$0.50' });
    expect(Math.abs(timeIn(after.state) - Date.now() - 90 * DAY)).toBeLessThan(MINUTE);
    expect(before.state).toMatch(/^rotated, valid until /);
    expect(Math.abs(timeIn(before.state) - Date.now() - DAY)).toBeLessThan(MINUTE);
    await expect(keys('rotate', old.id)).rejects.toMatchObject({
      stderr: `Key ${old.id} was rotated before: rotate the key that replaced it (${young.id})\n`,
    });
  });

  it('accepts a key instead of its ID', async () => {
    const old = await create();
    const young = await newKey('rotate', old.key, '--grace', '1h');
    expect((await listed(old.id)).state).toMatch(/^rotated, valid/);
    expect(await keys('usage', young.key)).toBe('');
    const cutOff = young.key.slice(0, 30);
    await keys('revoke', cutOff);
    expect((await listed(young.id)).state).toMatch(/^revoked /);
  });

  const { id: unknown, key: secret } = generateKey();
  testRows([
    ['in place of an ID', 1, ['revoke', secret], `There is no key ${unknown}\n`],
    ['followed by other text', 2, ['rotate', `${secret}.`], 'rotate needs the ID of a key'],
    ['as a command', 2, [secret], `Unknown command '${unknown}'. `],
    ['as an extra argument', 2, ['revoke', unknown, `=${secret}`], `Unexpected argument: =${unknown}. `],
    ['as an option', 2, ['list', `--${secret}`], `Unknown option '--${unknown}'. `],
    ['as the value of an option', 2, ['create', '--name', 'x', '--scopes', secret], `Unknown scope ${unknown}: `],
  ])('shows only the ID of a key', async (_, code, args, message) => {
    const failure: { code: number; stdout: string; stderr: string } = await keys(...args).catch((e) => e);
    expect(failure).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
    for (const part of secret.split('_').slice(2)) expect(failure.stderr).not.toContain(part);
  });

  it('prints only the key when npm runs it as its help says', async () => {
    const [, npm] = /^ +(npm .* create) --name/m.exec(await keys('--help')) ?? [];
    const { stdout } = await promisify(exec)(`${npm} --name me`, {
      env: { ...process.env, STATE_DIR: cloud().stateDir },
    });
    expect(keyId(stdout.trimEnd())).toBeDefined();
  });

  testRows<[string[], string]>([
    [['create'], 'create needs --name'],
    [['create', '--name', ' '], 'create needs --name'],
    [['create', '--name', 'a\tb'], 'Invalid --name: it must not contain control characters'],
    ...['many', '0', '-0', '0x10', '1e3', '1.0', ' 7', ''].map(
      (limit) => [['create', '--name', 'x', `--limit=${limit}`], `Invalid --limit "${limit}": `] as [string[], string],
    ),
    ...['much', '-1', '1e3', '5 EUR', '1.5tokens', ''].map(
      (budget) =>
        [['create', '--name', 'x', `--budget=${budget}`], `Invalid --budget "${budget}": `] as [string[], string],
    ),
    [['create', 'extra', '--name', 'x'], 'Unexpected argument: extra. '],
    [['create', '--name', 'x', '--grace', '1h'], "Unknown option '--grace'"],
    [['list', 'all'], 'Unexpected argument: all. Run "npm run keys -- list --help" for help\n'],
    [['list', '--name', 'x'], "Unknown option '--name'"],
    [['revoke', 'nobody', '--grace', '7d'], "Unknown option '--grace'"],
    [['rotate', 'nobody', '--scopes', ''], "Unknown option '--scopes'"],
    [['rotate', 'nobody', '--grace', '1h', '--limit', '3'], "Unknown option '--limit'"],
    [['usage', 'nobody', '--expires', '1d'], "Unknown option '--expires'"],
    [
      ['create', '--name', 'x', '--scopes', 'assets:write,assets'],
      'Unknown scope assets: the scopes are assets:write. ',
    ],
    [['create', '--name', 'x', '--expires', 'soon'], 'Invalid --expires soon: expected a duration such as 90d'],
    [['create', '--name', 'x', '--expires', '2020-01-01'], 'Invalid --expires 2020-01-01: it is in the past'],
    [['revoke'], "Missing required argument 'id'"],
    [['revoke', 'nobody'], 'revoke needs the ID of a key'],
    [['revoke', 'nobody', 'else'], 'Unexpected argument: else. '],
    [['rotate', 'nobody', '--grace', '1y'], 'Invalid --grace 1y: expected a duration such as 24h'],
    [['usage', 'nobody', '--from', 'monday'], 'from must be a day as YYYY-MM-DD'],
    [['frobnicate'], 'Unknown command \'frobnicate\'. Run "npm run keys -- --help" for help\n'],
    [['lst'], "Unknown command 'lst': did you mean list? Run "],
    [['toString'], "Unknown command 'toString'"],
    [[], 'Usage: npm run keys -- [options] [command]'],
    [['create', '--nmae', 'x'], "Unknown option '--nmae': did you mean --name? Run "],
  ])('rejects a wrong command line with an explanation', async (args, message) => {
    await expect(keys(...args)).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });
});

describe('npm run keys -- usage', () => {
  const usage = new UsageStore(db, String(outputs.UsageTable));
  const period = ['--from', '2026-01-01', '--to', '2026-01-02'];

  it('shows the calls of a key and of the keys that it replaced', async () => {
    const old = await create();
    const young = await newKey('rotate', old.id);
    const call = { caller: `key:${old.id}`, operation: 'deploy', at: Date.UTC(2026, 0, 1), ms: 20 } as const;
    await usage.record({ ...call, status: 201, files: 2, bytes: 1_500 });
    await usage.record({ ...call, status: 413 });
    await usage.record({ ...call, status: 200, operation: 'generate', at: Date.UTC(2026, 0, 2), tokens: 80 });
    await usage.record({ ...call, status: 200, at: Date.UTC(2026, 0, 3) });
    const expected = [
      '2026-01-01\tdeploy\t2\t0\t2\t1500\t40\t201:1 413:1\t0',
      '2026-01-02\tgenerate\t1\t80\t0\t0\t20\t200:1\t0',
    ];
    expect(await keys('usage', young.id, ...period)).toBe(`${expected.join('\n')}\n`);
    expect(await keys('usage', old.id, ...period)).toBe(`${expected.join('\n')}\n`);
  });
});

it('npm run limits -- show has a row for each limit of the stage', async () => {
  const paths = (values: object, prefix = ''): string[] =>
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'object' ? paths(value, `${prefix}${name}.`) : [prefix + name],
    );
  const rows = (await operate(limits, ['show'])).split('\n').map((row) => row.split('\t')[0]);
  const stage = JSON.parse(String(outputs.Limits)) as { readonly limits: object };
  expect(rows).toEqual(expect.arrayContaining(paths(stage.limits)));
});
