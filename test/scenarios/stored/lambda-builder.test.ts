import { unpackSite } from '../../../lambda/sites/archive.ts';
import type { BuildInput } from '../../../lambda/sites/source/build.ts';
import { readBuilt } from '../../../lambda/sites/source/build.ts';
import { buildKeys } from '../../../lambda/stored/build-keys.ts';
import { LambdaBuilder } from '../../../lambda/stored/builds/lambda-builder.ts';
import { tenantId } from '../../../lambda/stored/tenant-function.ts';
import { objects, startTenantFunction, type TenantFunctionUnderTest } from '../../support/tenant-function.ts';
import { allow } from '../../support/test-backend.ts';

const packages = allow(['s3:GetObject', 's3:PutObject'], objects('packages/*'));
let fn: TenantFunctionUnderTest;
let service: LambdaBuilder;
const builds = () => fn.lines.filter((line) => line.includes('"event":"build"')).length;

beforeAll(async () => {
  const keys = ['in/*', 'out/*', 'vendor/*'];
  fn = await startTenantFunction('test/support/fixture-build.handler.ts', keys, packages);
  service = new LambdaBuilder(fn.ports);
});
afterAll(() => fn.close());

/** Returns an input whose build does what `mode` says. */
function inputOf(mode = '', more: Partial<BuildInput> = {}): BuildInput {
  const files = new Map([
    ['src/main.ts', Buffer.from('1')],
    ['mode', Buffer.from(mode)],
    ['__proto__', Buffer.from('a name like any other')],
  ]);
  return { files, env: { VITE_A: 'a' }, preview: false, chosen: {}, ...more };
}

const pageOf = (archive: Uint8Array) => JSON.parse(String(unpackSite(archive).get('index.html')));

it('returns the site of its input, and of an equal input without another build', async () => {
  const first = await service.build('one', inputOf());
  expect(first.report).toMatchObject({ files: 1, packages: { react: '19.0.0' } });
  expect(pageOf(first.archive)).toMatchObject({
    paths: ['__proto__', 'mode', 'src/main.ts'],
    env: { VITE_A: 'a' },
    preview: false,
    builds: 1,
  });
  expect(readBuilt(first.stored).report).toEqual(first.report);
  const before = builds();
  const second = await service.build('one', { ...inputOf(), files: new Map([...inputOf().files].reverse()) });
  expect(Buffer.from(second.stored).equals(first.stored)).toBe(true);
  expect(builds()).toBe(before);
});

it('keeps instances, results and bundles of packages to their tenant', async () => {
  const preview = inputOf('', { preview: true });
  const mine = pageOf((await service.build('one', preview)).archive);
  expect(mine).toMatchObject({ builds: 2, earlier: 'packages of build 1' });
  const other = pageOf((await service.build('two', preview)).archive);
  expect(other.builds).toBe(1);
  expect(other.earlier).toBeUndefined();
});

it.each([
  [
    'broken',
    {
      code: 'build_failed',
      message: 'a.ts:3:7: Unexpected }',
      body: { problems: [{ message: 'Unexpected }', path: 'a.ts', line: 3, column: 7 }] },
    },
  ],
  ['large', { code: 'payload_too_large', message: 'The site has 11 MB', body: {} }],
  ['offline', { code: 'unavailable', message: 'The registry is down', headers: { 'Retry-After': '5' } }],
  ['hang', { code: 'build_failed', body: { problems: [{ message: expect.stringContaining('too long') }] } }],
  [
    'exit',
    { code: 'build_failed', body: { problems: [{ message: expect.stringContaining('too much memory') }] } },
  ],
  ['throw', { message: 'The function failed: TypeError: a mistake of the engine' }],
])('reports a build that ends with %s', async (mode, error) => {
  await expect(service.build('errors', inputOf(mode))).rejects.toMatchObject(error);
});

it('returns 20 problems at most, and builds again after a failure', async () => {
  const failed = await service.build('errors', inputOf('many')).catch((error) => error);
  expect(failed.body.problems).toHaveLength(20);
  const before = builds();
  await expect(service.build('errors', inputOf('many'))).rejects.toMatchObject({ code: 'build_failed' });
  expect(builds()).toBe(before + 1);
});

it('asks callers to retry while all concurrency is in use', async () => {
  const running = ['a', 'b', 'c'].map((tenant) => service.build(tenant, inputOf('wait')));
  await new Promise((begun) => setTimeout(begun, 150));
  await expect(service.build('d', inputOf('wait'))).rejects.toMatchObject({
    code: 'unavailable',
    headers: { 'Retry-After': '5' },
  });
  expect(await Promise.all(running)).toHaveLength(3);
});

it('logs numbers, and nothing of the project', () => {
  const [line = ''] = fn.lines.filter((text) => text.includes('"event":"build"'));
  expect(JSON.parse(line)).toMatchObject({ files: 3, builtFiles: 1, packages: 1, ms: expect.any(Number) });
  expect(fn.lines.join('\n')).not.toMatch(/main\.ts|VITE_A|X-Amz-Signature/);
});

it('has keys that depend on the tenant, the version, and all of the input', () => {
  const input = inputOf();
  const base = buildKeys('v', 't', input);
  const others = [
    buildKeys('w', 't', input),
    buildKeys('v', 'u', input),
    buildKeys('v', 't', inputOf('x')),
    buildKeys('v', 't', inputOf('', { env: {} })),
    buildKeys('v', 't', inputOf('', { preview: true })),
    buildKeys('v', 't', inputOf('', { chosen: { react: '18.0.0' } })),
  ];
  expect(new Set([base, ...others].map(({ out }) => out)).size).toBe(7);
  // An edit keeps the slot of its packages.
  expect(others.map(({ vendor }) => vendor === base.vendor)).toEqual([false, false, true, true, true, true]);
  expect(buildKeys('v', 't', inputOf('', { env: { B: '2', A: '1' } }))).toEqual(
    buildKeys('v', 't', inputOf('', { env: { A: '1', B: '2' } })),
  );
  expect(tenantId('someone@example.com')).toMatch(/^[0-9a-f]{32}$/);
});
