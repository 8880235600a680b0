import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { keyId } from '../../lambda/access/keys.ts';
import { UsageStore } from '../../lambda/access/usage.ts';
import type { OperatorFile } from '../../local/cloud.ts';
import { newCaller } from './client.ts';
import { cloud } from './cloud.ts';
import { keys } from './keys.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A new key as the command prints it, and its id. */
async function newKey(command: string, ...args: string[]) {
  const printed = await keys(command, ...args);
  expect(printed).toMatch(/^ptp_[0-9A-Za-z]{12}_[0-9a-f]{48}_[0-9a-f]{8}\n$/);
  const key = printed.trim();
  return { key, id: String(keyId(key)) };
}
const create = (...args: string[]) => newKey('create', '--name', 'me', ...args);

/** The cells of a key in the list. */
async function listed(id: string) {
  const line = (await keys('list')).split('\n').find((row) => row.startsWith(id));
  const [, name, scopes, limit, created, state] = line?.split('\t') ?? [];
  return { name, scopes, limit, created, state };
}

/** The time in a state such as `valid until 2026-11-21T10:00:00Z`. */
const timeIn = (state = '') => Date.parse(state.split(' ').at(-1) ?? '');

/** What a key is good for: a call that does nothing but count. */
async function use(key: string) {
  const { status, headers } = await newCaller().post(
    '/api/v1/nothing',
    {},
    { authorization: `Bearer ${key}` },
  );
  return { status, remaining: headers['x-ratelimit-remaining'] };
}

describe('npm run keys', () => {
  it('prints a new key alone, lists it without its secret, and revokes it', async () => {
    const { key, id } = await create('--scopes', 'assets:write', '--limit', '7');
    expect(await use(key)).toEqual({ status: 404, remaining: '6' });
    const { created, ...rest } = await listed(id);
    expect(rest).toEqual({ name: 'me', scopes: 'assets:write', limit: '7', state: 'valid' });
    expect(Math.abs(Date.parse(created ?? '') - Date.now())).toBeLessThan(MINUTE);
    const [, , secret = ''] = key.split('_');
    expect(await keys('list')).not.toContain(secret);

    const { key: unused, id: revoked } = await create();
    await keys('revoke', revoked);
    expect((await listed(revoked)).state).toMatch(/^revoked /);
    expect((await use(unused)).status).toBe(401);
  });

  it('makes keys that expire after a time, or at the end of a day', async () => {
    const { id } = await create('--expires', '90d');
    const { state } = await listed(id);
    expect(state).toMatch(/^valid until /);
    expect(Math.abs(timeIn(state) - Date.now() - 90 * DAY)).toBeLessThan(MINUTE);
    const { id: until } = await create('--expires', '2099-01-31');
    expect((await listed(until)).state).toBe('valid until 2099-02-01T00:00:00Z');
  });

  it('rotates a key: both work for the grace time, and count as one', async () => {
    const old = await create('--scopes', 'assets:write', '--limit', '7', '--expires', '90d');
    const young = await newKey('rotate', old.id);
    expect(await use(old.key)).toEqual({ status: 404, remaining: '6' });
    expect(await use(young.key)).toEqual({ status: 404, remaining: '5' });
    const [before, after] = [await listed(old.id), await listed(young.id)];
    expect(after).toMatchObject({ name: 'me', scopes: 'assets:write', limit: '7' });
    expect(Math.abs(timeIn(after.state) - Date.now() - 90 * DAY)).toBeLessThan(MINUTE);
    expect(before.state).toMatch(/^rotated, valid until /);
    expect(Math.abs(timeIn(before.state) - Date.now() - DAY)).toBeLessThan(MINUTE);
    await expect(keys('rotate', old.id)).rejects.toMatchObject({
      stderr: expect.stringContaining(`Key ${old.id} was rotated already`),
    });
  });

  it('ends a key at once that is rotated without a grace time', async () => {
    const old = await create();
    const young = await newKey('rotate', old.id, '--grace', '0h');
    expect((await listed(old.id)).state).toMatch(/^rotated, expired /);
    expect((await use(old.key)).status).toBe(401);
    expect((await use(young.key)).status).toBe(404);
  });

  it.each([
    [['create'], 'create needs --name'],
    [['create', '--name', 'a\tb'], '--name is one line of text'],
    [['create', '--name', 'x', '--limit', 'many'], '--limit is a number'],
    [
      ['create', '--name', 'x', '--scopes', 'assets:write,assets'],
      'There is no scope assets, only assets:write',
    ],
    [['create', '--name', 'x', '--expires', 'soon'], '--expires is a time from now such as 90d'],
    [['create', '--name', 'x', '--expires', '2020-01-01'], '--expires 2020-01-01 is over already'],
    [['revoke'], 'revoke needs the ID of a key'],
    [['revoke', 'nobody'], 'There is no key nobody'],
    [['revoke', 'nobody', 'else'], 'One key at a time: what is else?'],
    [['rotate', 'nobody', '--grace', '1y'], '--grace is a time such as 24h'],
    [['usage', 'nobody', '--from', 'monday'], 'from must be a day as YYYY-MM-DD'],
    [['frobnicate'], 'There is no command frobnicate'],
    [['toString'], 'There is no command toString'],
    [[], 'What should be done?'],
    [['create', '--nmae', 'x'], '--nmae'],
  ])('says what is wrong with %j', async (args, message) => {
    await expect(keys(...args)).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });
});

describe('npm run keys -- usage', () => {
  const { outputs, endpoint, region, ...credentials } = JSON.parse(
    readFileSync(join(cloud().stateDir, 'operator.json'), 'utf8'),
  ) as OperatorFile;
  const client = new DynamoDBClient({ endpoint, region, credentials });
  const usage = new UsageStore(DynamoDBDocumentClient.from(client), String(outputs.UsageTable));
  const period = ['--from', '2026-01-01', '--to', '2026-01-02'];

  afterAll(() => client.destroy());

  it('shows what a key and those it took the place of were used for', async () => {
    const old = await create();
    const young = await newKey('rotate', old.id);
    const call = { caller: `key:${old.id}`, operation: 'deploy', at: Date.UTC(2026, 0, 1), ms: 20 } as const;
    await usage.record({ ...call, status: 201, files: 2, bytes: 1_500 });
    await usage.record({ ...call, status: 413 });
    await usage.record({ ...call, status: 200, operation: 'generate', at: Date.UTC(2026, 0, 2), tokens: 80 });
    await usage.record({ ...call, status: 200, at: Date.UTC(2026, 0, 3) });
    const expected = [
      '2026-01-01\tdeploy\t2\t0\t2\t1500\t40\t201:1 413:1',
      '2026-01-02\tgenerate\t1\t80\t0\t0\t20\t200:1',
    ];
    expect(await keys('usage', young.id, ...period)).toBe(`${expected.join('\n')}\n`);
    expect(await keys('usage', old.id, ...period)).toBe(`${expected.join('\n')}\n`);
  });

  it('prints nothing for a key without calls', async () => {
    const { id } = await create();
    expect(await keys('usage', id, ...period)).toBe('');
  });
});
