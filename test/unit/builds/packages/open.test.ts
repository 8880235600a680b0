import { createHash } from 'node:crypto';
import { type PackageSourceOptions, packageSource } from '../../../../lambda/builds/packages/source.ts';
import { closeAtEnd } from '../../../support/at-end.ts';
import { projectWith } from '../../../support/registry/project.ts';
import { startRegistry, type TestPackage } from '../../../support/registry.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 1);

const registry = closeAtEnd(await startRegistry());
const listed = await registry.listed({
  clsx: 'clsx',
  react: 'react',
  'react-dom': 'react-dom',
  svelte: 'svelte',
});
beforeEach(() => {
  registry.requests.length = 0;
});

function add(name: string, version: string, manifest: TestPackage['manifest'] = {}, days = 1_000): void {
  const published = new Date(NOW - days * DAY).toISOString();
  registry.add({
    name,
    version,
    manifest,
    published,
    files: { 'index.js': `exports.is = '${name} ${version}'` },
  });
}

async function open(
  names: readonly string[],
  dependencies: Readonly<Record<string, string>>,
  {
    chosen = {},
    others = {},
    ...options
  }: Partial<PackageSourceOptions> & {
    chosen?: Record<string, string>;
    others?: Record<string, string>;
  } = {},
) {
  const source = packageSource({ registry: { url: registry.url }, listed, now: () => NOW, ...options });
  return await source.open(new Set(names), projectWith(dependencies, others), chosen);
}

/** Archives by their hash. */
function memoryArchives() {
  const objects = new Map<string, Uint8Array>();
  const put = async (integrity: string, archive: Uint8Array) => void objects.set(integrity, archive);
  return { objects, store: { get: async (integrity: string) => objects.get(integrity), put } };
}

/** The content of the file that a package finds. */
function found(tree: Awaited<ReturnType<typeof open>>['tree'], specifier: string, from = 'src/main.ts'): string {
  const path = tree.resolve(specifier, from, 'import');
  return typeof path === 'string' ? Buffer.from(tree.files.get(path) ?? '').toString() : String(path);
}

test('opens packages in the ranges of package.json, and those of a lock file', async () => {
  const names = ['react', 'react-dom', 'wouter', 'zustand'];
  const dependencies = { react: '^19.0.0', 'react-dom': '^19', wouter: '~3.13', zustand: '5' };
  const ranges = await open(names, dependencies);
  expect(ranges.warnings).toEqual([]);

  const roots = Object.fromEntries(names.map((name) => [name, name]));
  const lock = await registry.lockFile(roots);
  registry.requests.length = 0;
  const locked = await open(names, dependencies, { others: { 'package-lock.json': lock } });
  expect(locked.warnings).toEqual([]);
  // `resolved` of the lock file names another host; documents are not needed.
  expect(registry.requests.filter((path) => !path.endsWith('.tgz'))).toEqual([]);

  for (const { tree } of [ranges, locked]) {
    expect([...tree.versions.keys()]).toEqual(names.toSorted());
    expect(tree.resolve('react-dom/client', 'src/main.tsx', 'import')).toBe('node_modules/react-dom/client.js');
    expect(tree.resolve('regexparam', 'node_modules/wouter/esm/index.js', 'import')).toMatch(
      /^node_modules\/regexparam\//,
    );
    expect([...tree.files.keys()].filter((path) => /\.d\.[cm]?ts$/.test(path))).toEqual([]);
  }
  expect([...ranges.tree.files.keys()].sort()).toEqual([...locked.tree.files.keys()].sort());
});

test('needs no package.json for listed packages, and asks the registry for nothing that it has', async () => {
  const source = packageSource({ registry: { url: registry.url }, listed });
  for (let build = 0; build < 2; build++) {
    const { tree } = await source.open(new Set(['react-dom', 'clsx']), new Map(), {});
    expect(tree.versions.get('react-dom')).toMatch(/^19\./);
    // The peer is added.
    expect(tree.resolve('react', 'src/a.tsx', 'import')).toBe('node_modules/react/index.js');
  }
  expect(registry.requests.every((path) => path.endsWith('.tgz'))).toBe(true);
  expect(new Set(registry.requests).size).toBe(registry.requests.length);
});

test('takes versions of the registry if the list has names only', async () => {
  const source = packageSource({ registry: { url: registry.url }, now: () => NOW });
  const { tree } = await source.open(new Set(['react', 'clsx', 'svelte']), new Map(), {});
  expect([...tree.versions.keys()]).toEqual(['clsx', 'react', 'svelte']);
});

test('uses the major version of React that the project asks for, once', async () => {
  add('react', '18.3.1');
  add('react-dom', '18.3.1', { peerDependencies: { react: '^18.3.1' } });
  add('old-button', '1.0.0', {
    dependencies: { react: '^16.0.0' },
    peerDependencies: { 'react-dom': '^17' },
  });
  const { tree } = await open(['old-button', 'react-dom'], { 'old-button': '1', react: '^18.2.0' });
  expect(tree.versions.get('react-dom')).toMatch(/^18\./);
  expect([...tree.files.keys()].filter((path) => path.endsWith('/react/package.json'))).toEqual([
    'node_modules/react/package.json',
  ]);
  expect(found(tree, 'react/package.json')).toContain('"version":"18.');
});

test('chooses versions as npm does', async () => {
  for (const version of ['1.0.0', '1.2.0', '2.0.0', '2.1.0-beta.1']) add('many', version);
  add('many', '1.3.0', { deprecated: 'broken' });
  add('many', '1.4.0', {}, 3);
  const rows: [string, string][] = [
    ['^1.0.0', '1.2.0'],
    ['1.3.0', '1.3.0'],
    ['*', '2.0.0'],
    ['', '2.0.0'],
    ['latest', '2.0.0'],
    ['>=2.1.0-alpha <3', '2.1.0-beta.1'],
    ['npm:many@~1.0', '1.0.0'],
  ];
  for (const [range, expected] of rows) {
    const { tree } = await open(['many'], { many: range });
    expect([range, tree.versions.get('many')]).toEqual([range, expected]);
  }
  const kept = await open(['many'], { many: '^1.0.0' }, { chosen: { many: '1.0.0' } });
  expect(kept.tree.versions.get('many')).toBe('1.0.0');
  const changed = await open(['many'], { many: '^2.0.0' }, { chosen: { many: '1.0.0' } });
  expect(changed.tree.versions.get('many')).toBe('2.0.0');
});

test('takes what packages of the project declare like what the root declares', async () => {
  add('leaf', '1.0.0');
  add('leaf', '2.0.0');
  const others = {
    'packages/ui/package.json': '{ "name": "@tree/ui", "dependencies": { "@tree/kit": "*", "leaf": "2" } }',
    'packages/kit/package.json': '{ "name": "@tree/kit", "peerDependencies": { "many": "^1.0.0", "leaf": "1" } }',
    'server/package.json': '{ "name": "server", "dependencies": { "clsx": "0" } }',
    'broken/package.json': '{',
  };
  const { tree } = await open(['leaf', 'many', 'clsx'], { '@tree/ui': 'workspace:*' }, { others });
  expect(tree.versions.get('leaf')).toBe('2.0.0');
  expect(tree.versions.get('many')).toMatch(/^1\./);
  expect(tree.versions.get('clsx')).toMatch(/^2\./);
  const none = {
    ...others,
    'packages/kit/package.json': others['packages/kit/package.json'].replace('1.0', '9.0'),
  };
  await expect(open(['many'], { '@tree/ui': 'workspace:*' }, { others: none })).rejects.toMatchObject({
    problems: [{ path: 'packages/kit/package.json', line: 1 }],
  });
});

test('keeps each package for the next builds as soon as it is unpacked', async () => {
  add('early', '1.0.0');
  const files = { 'package.json': '{ "name": "another" }' };
  registry.add({ name: 'late', version: '1.0.0', published: '2020-01-01T00:00:00.000Z', files });
  const source = packageSource({ registry: { url: registry.url }, listed, now: () => NOW });
  const project = projectWith({ early: '1', late: '1' }, {});
  // It is unpacked after the first one.
  await expect(source.open(new Set(['early', 'late']), project, {})).rejects.toMatchObject({
    problems: [{ message: 'late 1.0.0 is an archive of another package' }],
  });
  await source.open(new Set(['early']), project, {});
  expect(registry.requests.filter((path) => path.includes('early-1.0.0'))).toHaveLength(1);
});

test('lays out several versions, aliases, circles and names such as __proto__', async () => {
  add('shared', '1.0.0');
  add('shared', '2.0.0');
  add('one', '1.0.0', { dependencies: { shared: '^1.0.0', two: '*' } });
  add('two', '1.0.0', { dependencies: { shared: '^2.0.0', one: '*', __proto__x: '*' } });
  add('__proto__x', '1.0.0', { dependencies: { renamed: 'npm:shared@1' } });
  add('__proto__', '1.0.0', { dependencies: { constructor: '*' } });
  add('constructor', '1.0.0');
  const names = ['one', 'shared', '__proto__', 'alias'];
  const dependencies = JSON.parse('{"one":"1","shared":"^2.0.0","__proto__":"*","alias":"npm:shared@1.0.0"}');
  const { tree } = await open(names, dependencies);
  expect(found(tree, 'shared')).toContain('shared 2.0.0');
  expect(found(tree, 'alias')).toContain('shared 1.0.0');
  expect(found(tree, 'shared', 'node_modules/one/index.js')).toContain('shared 1.0.0');
  expect(found(tree, 'shared', 'node_modules/two/index.js')).toContain('shared 2.0.0');
  expect(found(tree, 'renamed', 'node_modules/__proto__x/index.js')).toContain('shared 1.0.0');
  expect(found(tree, '__proto__')).toContain('__proto__ 1.0.0');
  expect(found(tree, 'constructor', 'node_modules/__proto__/index.js')).toContain('constructor 1.0.0');
});

test('adds missing peers, skips optional ones, and obeys overrides', async () => {
  add('peer', '1.0.0');
  add('peer', '2.0.0');
  add('rare', '1.0.0');
  const peerDependencies = { peer: '*', rare: '*', 'not-there': '*', 'local-one': '*', typescript: '*' };
  add('asks', '1.0.0', { peerDependencies, peerDependenciesMeta: { rare: { optional: true } } });
  add('native', '1.0.0', { os: ['darwin'] });
  add('asks-more', '1.0.0', {
    dependencies: { native: '1', gone: '1' },
    optionalDependencies: { native: '1', gone: '1' },
  });
  const { tree } = await open(['asks', 'asks-more'], { asks: '1', 'asks-more': '1', 'local-one': 'file:x' });
  expect(found(tree, 'peer')).toContain('peer 2.0.0');
  expect(tree.resolve('rare', 'src/a.ts', 'import')).toBeUndefined();
  expect(registry.requests.filter((path) => path.includes('typescript'))).toEqual([]);

  const manifest = { dependencies: { asks: '1' }, overrides: { peer: '1.0.0' } };
  const source = packageSource({ registry: { url: registry.url }, listed, now: () => NOW });
  const files = new Map([['package.json', Buffer.from(JSON.stringify(manifest))]]);
  expect(found((await source.open(new Set(['asks']), files, {})).tree, 'peer')).toContain('peer 1.0.0');
});

test('resolves what the lock file lacks, and tells so', async () => {
  add('late', '1.0.0');
  const installed = await registry.lockFile({ zustand: 'zustand', react: 'react' });
  // Too old for the package.json of the project.
  const lock = installed.replace(/("node_modules\/react": \{\s+"version": ")[^"]+/, '$118.3.1');
  const { tree, warnings } = await open(
    ['late', 'react', 'zustand'],
    { late: '1', react: '^19.0.0', zustand: '*' },
    { others: { 'package-lock.json': lock } },
  );
  expect(tree.versions.get('react')).toMatch(/^19\./);
  expect(warnings).toEqual([
    'package-lock.json has no usable version of late: 1.0.0 is used',
    expect.stringMatching(/^package-lock.json has no usable version of react: 19\.\S+ is used$/),
  ]);

  const old = JSON.stringify({ lockfileVersion: 1, dependencies: {} });
  const ignored = await open(['late'], { late: '1' }, { others: { 'package-lock.json': old } });
  expect(ignored.warnings).toEqual(['package-lock.json has version 1 and is ignored: npm 7 or newer writes version 3']);
});

test('uses the versions of the compilers', async () => {
  const { tree, warnings } = await open(['svelte'], { svelte: '~5.1.0' });
  const version = tree.versions.get('svelte');
  expect(warnings).toEqual([`svelte ${version} is used instead of ~5.1.0: it is the version of the compiler here`]);
  expect((await open(['svelte'], { svelte: '^5.0.0' })).warnings).toEqual([]);
});

test('stores archives by their hash, and trusts none of them', async () => {
  add('stored', '1.0.0');
  const { objects, store } = memoryArchives();
  await open(['stored'], { stored: '1' }, { store });
  const [[integrity = '', archive = new Uint8Array()] = []] = objects;
  expect(integrity).toBe(`sha512-${createHash('sha512').update(archive).digest('base64')}`);

  registry.requests.length = 0;
  await open(['stored'], { stored: '1' }, { store });
  expect(registry.requests).toEqual(['/stored']);

  objects.set(integrity, Buffer.from('poisoned'));
  const { tree } = await open(['stored'], { stored: '1' }, { store });
  expect(found(tree, 'stored')).toContain('stored 1.0.0');
  expect(objects.get(integrity)).toEqual(archive);
});

test('needs no registry for stored packages of the list or a lock file', async () => {
  const { store } = memoryArchives();
  const lock = await registry.lockFile({ wouter: 'wouter' });
  const build = () => open(['clsx', 'wouter'], {}, { store, others: { 'package-lock.json': lock } });
  await build();
  registry.faults.set('*', 'unreachable');
  try {
    expect([...(await build()).tree.versions.keys()]).toEqual(['clsx', 'wouter']);
  } finally {
    registry.faults.clear();
  }
});

test('accepts packages of before 2017', async () => {
  registry.add({ name: 'ancient', version: '0.1.0', files: { 'index.js': '1' }, sha1Only: true });
  expect((await open(['ancient'], { ancient: '*' })).tree.versions.get('ancient')).toBe('0.1.0');
});

test('repeats a request that failed, and works without its store', async () => {
  add('flaky', '1.0.0');
  registry.faults.set('flaky', 'unreachable once');
  const store = {
    get: () => Promise.reject(new Error('no access')),
    put: () => Promise.reject(new Error('no access')),
  };
  const { tree } = await open(['flaky'], { flaky: '1' }, { store });
  expect(found(tree, 'flaky')).toContain('flaky 1.0.0');
});
