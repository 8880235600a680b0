import { Readable } from 'node:stream';
import { TooManyRequestsException } from '@aws-sdk/client-lambda';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { SlotHolder } from '../../../lambda/access/running-slots.ts';
import { packContents, unpackSite } from '../../../lambda/sites/archive.ts';
import { type BuildInput, buildKeys, builtSite } from '../../../lambda/sites/source/build.ts';
import { LambdaBuilder } from '../../../lambda/stored/builds/lambda-builder.ts';
import type { Invoke } from '../../../lambda/stored/lambda-invoke.ts';
import { LambdaLooker } from '../../../lambda/stored/looks/lambda-looker.ts';
import type { Look } from '../../../lambda/stored/looks/looker.ts';
import { lambdaLooker } from '../../../lambda/stored/looks/stage-looker.ts';
import { sharedTenant, tenantId } from '../../../lambda/stored/tenant-function.ts';
import { png } from '../../support/images.ts';
import { testRows } from '../../support/rows.ts';

/** Payloads of the function, the last one for all later calls; an error is thrown by Lambda. */
type Outcome = object | Error | { readonly FunctionError: string };

/** Returns options of a caller with a bucket in memory, and a function that returns outcomes. */
function fakes(...outcomes: Outcome[]) {
  const objects = new Map<string, Buffer>();
  const tenants: string[] = [];
  const s3 = new S3Client({
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const send = async (command: { readonly input: { readonly Key?: string; readonly Body?: Uint8Array } }) => {
    const { Key = '', Body } = command.input;
    if (command instanceof PutObjectCommand) return objects.set(Key, Buffer.from(Body ?? []));
    const stored = objects.get(Key);
    if (!stored) throw Object.assign(new Error(Key), { name: 'NoSuchKey' });
    return { Body: Readable.from([stored]), ContentLength: stored.length };
  };
  const invoke: Invoke = async ({ TenantId = '' }) => {
    tenants.push(TenantId);
    const outcome = outcomes.length > 1 ? outcomes.shift() : outcomes[0];
    if (outcome instanceof Error) throw outcome;
    const Payload = Buffer.from(JSON.stringify(outcome)) as never;
    return { ...outcome, Payload, $metadata: {} };
  };
  return {
    objects,
    tenants,
    options: {
      s3: Object.assign(s3, { send }) as unknown as S3Client,
      invoke,
      bucket: 'objects',
      functionName: 'tenants',
      version: 'v1',
      patienceMs: 0,
    },
  };
}

const FILES = new Map([['index.html', Buffer.from('<title>x</title>')]]);
const INPUT = { files: FILES, env: {}, preview: false, chosen: {} };
const SITE = { files: FILES, entry: 'index.html' };
const busy = () => new TooManyRequestsException({ message: 'Rate exceeded', $metadata: {} });
const ended = { FunctionError: 'Unhandled', errorMessage: 'Task timed out after 25.00 seconds' };
const thrown = { FunctionError: 'Unhandled', errorType: 'TypeError', errorMessage: 'a mistake' };

it('builds once for equal inputs of a tenant', async () => {
  const { options, objects, tenants } = fakes({ built: true });
  const report = { files: 1, bytes: 1, packages: {}, warnings: [] };
  // The function writes the site.
  const write: Invoke = async (input) => {
    const key = [...objects.keys()].find((one) => one.startsWith('in/')) ?? '';
    objects.set(key.replace('in/', 'out/'), Buffer.from(builtSite(report, packContents(FILES)).stored));
    return options.invoke(input);
  };
  const builder = new LambdaBuilder({ ...options, invoke: write });
  const first = await builder.build('one', INPUT);
  expect([...unpackSite(first.archive).keys()]).toEqual(['index.html']);
  expect((await builder.build('one', INPUT)).stored).toEqual(first.stored);
  expect(tenants).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
});

it('has keys that depend on the tenant, the version, and all of the input', () => {
  const keys = (more: Partial<BuildInput>) => buildKeys('v', 't', { ...INPUT, ...more });
  const base = keys({});
  const others = [
    buildKeys('w', 't', INPUT),
    buildKeys('v', 'u', INPUT),
    keys({ files: new Map([['index.html', Buffer.from('x')]]) }),
    keys({ env: { A: '1' } }),
    keys({ preview: true }),
    keys({ chosen: { react: '18.0.0' } }),
  ];
  expect(new Set([base, ...others].map(({ out }) => out)).size).toBe(7);
  // An edit keeps the slot of its packages.
  expect(others.map(({ vendor }) => vendor === base.vendor)).toEqual([false, false, true, true, true, true]);
  expect(keys({ env: { B: '2', A: '1' } })).toEqual(keys({ env: { A: '1', B: '2' } }));
  expect(tenantId('someone@example.com')).toMatch(/^[0-9a-f]{32}$/);
});

testRows<[Outcome, object]>([
  [
    { error: 'build_failed', problems: [{ message: 'Unexpected }', path: 'a.ts', line: 3, column: 7 }] },
    { code: 'build_failed', message: 'a.ts:3:7: Unexpected }', body: { problems: [{ line: 3 }] } },
  ],
  [
    { error: 'payload_too_large', problems: [{ message: 'The site has 11 MB' }] },
    { code: 'payload_too_large', message: 'The site has 11 MB', body: {} },
  ],
  [
    { error: 'unavailable', problems: [{ message: 'The registry is down' }] },
    { code: 'unavailable', headers: { 'Retry-After': '5' } },
  ],
  [ended, { code: 'build_failed', body: { problems: [{ message: expect.stringContaining('too long') }] } }],
  [thrown, { message: 'The function failed: TypeError: a mistake' }],
  [busy(), { code: 'unavailable', headers: { 'Retry-After': '5' } }],
  [{ built: false }, { name: 'ZodError' }],
])('reports how a build ended', async (outcome, error) => {
  await expect(new LambdaBuilder(fakes(outcome).options).build('t', INPUT)).rejects.toMatchObject(error);
});

const PICTURE = png(39, 84).toString('base64');
const seen = (screenshots: object, problems: object[] = []) => ({ looked: true, problems, screenshots });

it('looks once at equal sites of a tenant, and again after a failure', async () => {
  const { options, tenants } = fakes({ looked: false, reason: 'No' }, seen({ 390: PICTURE }));
  const looker = new LambdaLooker(options);
  expect(await looker.look('one', SITE)).toEqual({ state: 'failed', reason: 'No' });
  for (let i = 0; i < 2; i++) {
    const look = (await looker.look('one', SITE)) as Look;
    expect(Buffer.from(look.screenshots.get(390) ?? []).equals(png(39, 84))).toBe(true);
  }
  expect(tenants).toHaveLength(2);
  await looker.look('two', SITE);
  await looker.look('one', { ...SITE, entry: 'other.html' });
  await new LambdaLooker({ ...options, version: 'v2' }).look('one', SITE);
  expect(tenants).toHaveLength(5);
});

const problem = { kind: 'error', message: 'It threw' };
testRows<[Outcome, string]>([
  [ended, 'The browser took too long or needed too much memory'],
  [thrown, 'The browser failed'],
  [busy(), 'Too many browsers are running'],
  // Results of a function in which a page took over.
  [seen({ 390: Buffer.from('no picture').toString('base64') }), 'The browser failed'],
  [seen({ 390: png(1, 1).fill(0xff, 16, 24).toString('base64') }), 'The browser failed'],
  [seen({}, Array(100).fill(problem)), 'The browser failed'],
  [seen({}, [{ ...problem, message: 'x'.repeat(10_000) }]), 'The browser failed'],
])('says why there is no look', async (outcome, reason) => {
  const look = await new LambdaLooker(fakes(outcome).options).look('t', SITE);
  expect(look).toEqual({ state: 'failed', reason });
});

it('skips looks without a call where the stage has no browser', async () => {
  const skipped = 'This stage does not look at projects (look.enabled is false)';
  const none = lambdaLooker({ LOOK_SKIPPED: skipped });
  expect(none.skipped).toBe(skipped);
  expect(await none.look('one', SITE)).toEqual({ state: 'skipped', reason: skipped });
  expect(lambdaLooker({}).skipped).toBe('This stage has no browser');
});

it('waits while all browsers are in use', async () => {
  const { options, tenants } = fakes(busy(), seen({}));
  expect(await new LambdaLooker({ ...options, patienceMs: 3_000 }).look('t', SITE)).toMatchObject({
    state: 'looked',
  });
  expect(tenants).toHaveLength(2);
});

testRows<[string, RegExp]>([
  ['key:me', /^key:me$/],
  ['token:me', /^token:me$/],
  ['address:192.0.2.1', /^anonymous:\d$/],
  ['generation:g', /^anonymous:\d$/],
  ['anonymous', /^anonymous:\d$/],
  ['anonymous:7', /^anonymous:7$/],
])('gives each key and token a tenant, and lets all others share a few', (tenant, expected) => {
  expect(sharedTenant(tenant)).toMatch(expected);
});

it('serves any number of addresses with ten tenants', () => {
  const addresses = Array.from({ length: 500 }, (_, i) => sharedTenant(`address:2001:db8:${i}::/56`));
  expect(new Set(addresses).size).toBe(10);
});

it('invokes nothing without a slot of the tenant, and frees the one that it took', async () => {
  const { options, tenants } = fakes(seen({}), thrown);
  const holders: SlotHolder[] = [];
  let left = 2;
  const slots = {
    take: async (holder: SlotHolder) => {
      holders.push(holder);
      if (left === 0) return undefined;
      left--;
      return async () => {
        left++;
      };
    },
  };
  const looker = new LambdaLooker({ ...options, slots });
  expect(await looker.look('key:a', SITE)).toMatchObject({ state: 'looked' });
  expect(await looker.look('address:192.0.2.1', SITE)).toMatchObject({ reason: 'The browser failed' });
  expect(left).toBe(2);
  left = 0;
  expect(await looker.look('address:192.0.2.2', SITE)).toMatchObject({
    reason: 'Too many browsers are running',
  });
  await expect(new LambdaBuilder({ ...options, slots }).build('key:a', INPUT)).rejects.toMatchObject({
    code: 'unavailable',
  });
  expect(tenants).toHaveLength(2);
  expect(holders.map(({ isAnonymous }) => isAnonymous)).toEqual([false, true, true, false]);
  expect(holders[0]?.name).toBe(holders[3]?.name);
});
