import { randomBytes } from 'node:crypto';
import { type PackageSourceOptions, packageSource } from '../../../../lambda/builds/packages/source.ts';
import { DEFAULT_POLICY } from '../../../../lambda/builds/packages/versions.ts';
import { BuildError } from '../../../../lambda/builds/problems.ts';
import { closeAtEnd } from '../../../support/at-end.ts';
import { filesOf, projectWith } from '../../../support/registry/project.ts';
import { startRegistry } from '../../../support/registry.ts';
import { testRows } from '../../../support/rows.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 1);

const registry = closeAtEnd(await startRegistry());
const listed = await registry.listed({ clsx: 'clsx', zustand: 'zustand' });
const published = (days: number) => new Date(NOW - days * DAY).toISOString();
registry.add(
  { name: 'good', version: '1.0.0', files: { 'index.js': '' } },
  { name: 'good', version: '1.1.0', files: { 'index.js': '' } },
  { name: 'new-name', version: '1.0.0', published: published(60) },
  { name: 'new-version', version: '1.0.0', published: published(900) },
  { name: 'new-version', version: '2.0.0', published: published(2) },
  { name: 'new-version', version: '2.0.1', published: published(1) },
  { name: 'needs-git', version: '1.0.0', manifest: { dependencies: { thing: 'github:some/thing' } } },
  { name: 'needs-nothing', version: '1.0.0', manifest: { dependencies: { invented: '^1' } } },
  { name: 'hostile-range', version: '1.0.0', manifest: { dependencies: { good: '1 || '.repeat(99_999) } } },
  { name: 'no-gzip', version: '1.0.0', archive: Buffer.from('a text') },
  { name: 'swapped', version: '1.0.0', files: { 'package.json': '{"name":"good"}' } },
  { name: 'big', version: '1.0.0', files: { 'index.js': '/'.repeat(3_000_000) } },
  { name: 'packed', version: '1.0.0', archive: randomBytes(5_100_000) },
  { name: 'wrong-hash', version: '1.0.0' },
  { name: 'truncated', version: '1.0.0', files: { 'index.js': 'some text' } },
  { name: 'away', version: '1.0.0' },
  { name: 'silent', version: '1.0.0' },
  { name: 'limited', version: '1.0.0' },
);
for (let index = 0; index < 450; index++) {
  registry.add({
    name: `link-${index}`,
    version: '1.0.0',
    manifest: { dependencies: { [`link-${index + 1}`]: '*' } },
  });
}
for (const [version, other] of [
  ['1.0.0', '1'],
  ['2.0.0', '2'],
]) {
  // Each needs the other in the version that is not there: npm nests them forever.
  registry.add({ name: 'loop-a', version: version ?? '', manifest: { dependencies: { 'loop-b': other } } });
  registry.add({
    name: 'loop-b',
    version: version ?? '',
    manifest: { dependencies: { 'loop-a': other === '1' ? '2' : '1' } },
  });
}
registry.faults.set('wrong-hash', 'wrong integrity');
registry.faults.set('truncated', 'truncated');
registry.faults.set('away', 'unreachable');
registry.faults.set('silent', 'slow');
registry.faults.set('limited', 503);

async function errorOf(
  names: readonly string[],
  files: ReadonlyMap<string, Uint8Array>,
  options: Partial<PackageSourceOptions> = {},
): Promise<BuildError> {
  const source = packageSource({
    registry: { url: registry.url },
    listed,
    now: () => NOW,
    limits: { packedBytes: 5_000_000, unpackedBytes: 2_000_000 },
    ...options,
  });
  const result = await source.open(new Set(names), files, {}).catch((error: unknown) => error);
  if (result instanceof BuildError) return result;
  throw new Error('Expected a BuildError', { cause: result });
}

interface Row {
  readonly imports?: string;
  readonly spec?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: Partial<PackageSourceOptions>;
  readonly code?: string;
  readonly message: RegExp;
  readonly line?: number;
}

const lockOf = (entry: object) =>
  JSON.stringify({ lockfileVersion: 3, packages: { 'node_modules/good': entry } }, null, 2);
const WRONG_HASH = `sha512-${'A'.repeat(86)}==`;

testRows<Row>([
  // package.json
  {
    files: { 'package.json': '{\n  "dependencies": {\n    "good": "1",\n  }\n}' },
    message: /^Invalid JSON: Expected double/,
    line: 4,
  },
  { files: { 'package.json': '{\n<<<<<<< HEAD\n  "name": "a"\n}' }, message: /^Invalid JSON/, line: 2 },
  { files: { 'package.json': '{\n  "name": nul,\n  "a": 1\n}' }, message: /^Invalid JSON/, line: 2 },
  { files: { 'package.json': '' }, message: /^Invalid JSON/, line: 1 },
  { files: { 'package.json': '[]' }, message: /^Expected an object/, line: 1 },
  { files: { 'package.json': '{"dependencies": {"good"' }, message: /^Invalid JSON/, line: 1 },
  // What it asks for
  { imports: 'invented', message: /^"invented" is not in package.json: add it to "dependencies"/ },
  { imports: 'zustandd', message: /Did you mean "zustand"\?$/ },
  { imports: 'fs', message: /^"fs" is a module of Node.js/ },
  { imports: 'node:path', message: /^"node:path" is a module of Node.js/ },
  { imports: '../up', message: /is not a name of a package/ },
  { imports: 'invented', spec: '^1.0.0', message: /^"invented" is not a package of the registry$/, line: 3 },
  {
    imports: 'good',
    spec: '^7.0.0',
    message: /^"good" has no version in the range \^7.0.0; the latest is 1.1.0/,
    line: 3,
  },
  { imports: 'good', spec: 'canary', message: /no version with the tag "canary"/, line: 3 },
  {
    imports: 'good',
    spec: 'workspace:*',
    message: /is "workspace:\*" in package.json, but no folder/,
    line: 3,
  },
  {
    imports: 'good',
    spec: 'git+https://github.com/a/b.git',
    message: /only versions of the registry/,
    line: 3,
  },
  { imports: 'good', spec: 'some/repository', message: /only versions of the registry/, line: 3 },
  { imports: 'good', spec: 'file:../good', message: /deploy the folder that has both/, line: 3 },
  { imports: 'good', spec: 'http://127.0.0.1/good.tgz', message: /only versions of the registry/, line: 3 },
  { imports: 'good', spec: 'npm:npm:good', message: /only versions of the registry/, line: 3 },
  { imports: 'good', spec: `1${' || 1'.repeat(99_999)}`, message: /only versions of the registry/, line: 3 },
  // Lock file
  {
    imports: 'good',
    files: { 'package-lock.json': '{\n  "packages": {\n    oops\n' },
    message: /^Invalid JSON/,
    line: 3,
  },
  { imports: 'good', files: { 'package-lock.json': 'null' }, message: /^Expected an object/, line: 1 },
  {
    imports: 'good',
    files: { 'package-lock.json': lockOf({ version: '1.0.0', integrity: WRONG_HASH }) },
    message: /^good 1.0.0 does not have the hash sha512-AAAA/,
  },
  {
    imports: 'good',
    files: { 'package-lock.json': lockOf({ version: '9.9.9', integrity: WRONG_HASH }) },
    message: /^good 9.9.9 is not in the registry/,
  },
  {
    imports: 'good',
    files: { 'package-lock.json': lockOf({ version: '1.0.0/../x', integrity: WRONG_HASH }) },
    message: /^"good" is not in package.json/,
  },
  {
    imports: 'good',
    files: { 'package-lock.json': lockOf({ link: true, resolved: 'packages/good' }) },
    message: /^"good" is not in package.json/,
  },
  {
    imports: 'good',
    files: {
      'package-lock.json': lockOf({ version: '1.0.0', resolved: 'git+ssh://a/b', integrity: WRONG_HASH }),
    },
    message: /^"good" is not in package.json/,
  },
  // Policy
  {
    imports: 'new-name',
    spec: '*',
    message: /^"new-name" was first published 60 days ago: unlisted packages must be 90 days old/,
    line: 3,
  },
  {
    imports: 'good',
    spec: '1',
    options: { policy: { ...DEFAULT_POLICY, packages: 'listed' } },
    message: /^"good" is not on the list of this service/,
    line: 3,
  },
  {
    imports: 'good',
    spec: '1',
    options: { policy: { ...DEFAULT_POLICY, deny: ['good'] } },
    message: /^"good" is denied by the operator/,
    line: 3,
  },
  {
    imports: 'clsx',
    options: { policy: { ...DEFAULT_POLICY, deny: ['clsx'] } },
    message: /^"clsx" is denied by the operator/,
  },
  {
    imports: 'good',
    spec: '1',
    options: { policy: { ...DEFAULT_POLICY, deny: ['good@oops', 'go@*'] } },
    message: /is denied/,
    line: 3,
  },
  {
    imports: 'good',
    spec: '1.1',
    options: { policy: { ...DEFAULT_POLICY, deny: ['good@>=1.1'] } },
    message: /is denied/,
    line: 3,
  },
  // What packages need
  {
    imports: 'needs-git',
    spec: '1',
    message: /^needs-git 1.0.0 needs "thing", which is "github:some\/thing", which is not in the registry/,
  },
  {
    imports: 'needs-nothing',
    spec: '1',
    message: /^needs-nothing 1.0.0 needs "invented", which is not a package of the registry/,
  },
  { imports: 'hostile-range', spec: '1', message: /^hostile-range 1.0.0 needs "good", which is "1 \|\|/ },
  {
    imports: 'link-0',
    spec: '1',
    code: 'payload_too_large',
    message: /needs more than 400 packages: "link-0" alone needs 4\d\d of them$/,
    line: 3,
  },
  {
    imports: 'loop-a',
    spec: '1',
    code: 'payload_too_large',
    message: /needs more than 400 packages: "loop-a" alone needs 4\d\d of them$/,
    line: 3,
  },
  // Archives
  { imports: 'no-gzip', spec: '1', message: /^no-gzip 1.0.0 has a damaged archive/ },
  { imports: 'swapped', spec: '1', message: /^swapped 1.0.0 is an archive of another package/ },
  {
    imports: 'big',
    spec: '1',
    code: 'payload_too_large',
    message: /^The packages of the project have more than .* The largest so far: big$/,
  },
  {
    imports: 'packed',
    spec: '1',
    code: 'payload_too_large',
    message: /^The packages of the project have more than .* The largest so far: packed$/,
  },
  { imports: 'wrong-hash', spec: '1', message: /^wrong-hash 1.0.0 does not have the hash/ },
  { imports: 'truncated', spec: '1', message: /^truncated 1.0.0 does not have the hash/ },
  // The registry
  { imports: 'away', spec: '1', code: 'unavailable', message: /did not deliver "away" \(no connection\)/ },
  { imports: 'limited', spec: '1', code: 'unavailable', message: /did not deliver "limited" \(status 503\)/ },
])(
  'tells what is wrong',
  async ({ imports = 'good', spec, files = {}, options = {}, code = 'build_failed', message, line }) => {
    const project = spec === undefined ? filesOf(files) : projectWith({ [imports]: spec }, files);
    const error = await errorOf([imports], project, options);
    const [problem] = error.problems;
    expect(problem?.message).toMatch(message);
    expect(problem?.message.length).toBeLessThan(400);
    expect(error.code).toBe(code);
    expect(problem?.line).toBe(line);
  },
);

test('gives up a registry that does not respond', async () => {
  const options = { registry: { url: registry.url, timeoutMilliseconds: 50 } };
  const error = await errorOf(['silent'], projectWith({ silent: '1' }), options);
  expect([error.code, error.message]).toEqual(['unavailable', expect.stringContaining('"silent" (timeout)')]);
});

test('names every package that cannot be used, and prefers errors of the service', async () => {
  const error = await errorOf(['one', 'two', 'good'], projectWith({ two: 'file:x', good: '*' }));
  expect(error.problems.map(({ message }) => message.slice(0, 6))).toEqual(['"one" ', '"two" ']);
  expect((await errorOf(['one', 'away'], projectWith({ away: '*' }))).code).toBe('unavailable');
});

test('asks the registry for nothing if there are too many packages', async () => {
  const names = Array.from({ length: 401 }, (_, index) => `many-${index}`);
  const dependencies = Object.fromEntries(names.map((name) => [name, '*']));
  registry.add({
    name: 'wide',
    version: '1.0.0',
    manifest: { dependencies: { ...dependencies, ...manyNames(8_000) } },
  });
  registry.requests.length = 0;
  expect((await errorOf(names, projectWith(dependencies))).code).toBe('payload_too_large');
  expect(registry.requests).toEqual([]);
  expect((await errorOf(['wide'], projectWith({ wide: '*' }))).code).toBe('payload_too_large');
  expect(new Set(registry.requests)).toEqual(new Set(['/wide']));
});

function manyNames(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`other-${index}`, '*']));
}

test('skips versions that are too young, unless the operator allows them or package.json names no other', async () => {
  const versionOf = async (minimumAgeDays: number, range = '*') => {
    const policy = { ...DEFAULT_POLICY, minimumAgeDays };
    const source = packageSource({ registry: { url: registry.url }, listed, policy, now: () => NOW });
    const names = new Set(['new-version']);
    return (await source.open(names, projectWith({ 'new-version': range }), {})).tree.versions.get('new-version');
  };
  expect(await versionOf(7)).toBe('1.0.0');
  expect(await versionOf(7, '^2.0.0')).toBe('2.0.0');
  expect(await versionOf(0)).toBe('2.0.1');
});
