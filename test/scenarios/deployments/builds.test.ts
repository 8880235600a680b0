import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { newCaller, type TestResponse } from '../../support/cloud/client.ts';
import { storedObjects } from '../../support/cloud/stored-objects.ts';
import { NO_RATE_LIMIT, startVariant, type Variant } from '../../support/cloud/variant.ts';
import { type Files, WORKING } from '../../support/cloud/working-project.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { testRows } from '../../support/rows.ts';

let registry: TestRegistry;

let service: Variant;

beforeAll(async () => {
  registry = await startRegistry();
  // The hashes of listed packages are those of npm, which the archives of this registry do not have.
  PROJECT['package-lock.json'] = await registry.lockFile({ react: 'react', 'react-dom': 'react-dom' });
  const BUILDS = { packages: 'any', minimumAgeDays: 7, deny: ['denied'], registry: registry.url };
  service = await startVariant({ BUILDS, ...NO_RATE_LIMIT });
});

afterAll(async () => {
  await service?.close();
  await registry?.close();
});

const sent = (files: Files) => Object.entries(files).map(([path, content]) => ({ path, content }));

const GZIP = { 'content-type': 'application/json', 'content-encoding': 'gzip' };

/** A project in React with a style sheet. Its lock file is added before the tests. */
const PROJECT: Record<string, string> = {
  'package.json': '{"dependencies":{"react":"^19.0.0","react-dom":"^19.0.0"}}',
  'index.html':
    '<!doctype html><title>Shop</title><div id="root"></div><script type="module" src="/src/main.tsx"></script>',
  'src/main.tsx': `import { createRoot } from 'react-dom/client';
import './style.css';

import { App } from './App';

createRoot(document.getElementById('root')!).render(<App />);`,
  'src/App.tsx': 'export const App = () => <h1>{import.meta.env.VITE_TITLE ?? "First"}</h1>;',
  'src/style.css': 'h1 { color: teal; &:hover { color: red } }',
};

const needing = (name: string): Files => ({
  'package.json': `{"dependencies":{"${name}":"*"}}`,
  'src/main.ts': `import '${name}';`,
});

const FIVE_MEGABYTES = Object.fromEntries([
  ...[0, 1, 2, 3, 4].map((i) => [`src/${i}.json`, JSON.stringify('a'.repeat(1_000_000))]),
  ['src/main.ts', [0, 1, 2, 3, 4].map((i) => `import j${i} from './${i}.json';\nconsole.log(j${i});`).join('\n')],
]);

let projects = 0;

/** A caller with a project of its own. */
function newProject() {
  const { post, send } = newCaller(service.baseUrl);
  const projectId = `builds-${++projects}-${Math.random()}`.replace('.', '-');
  let token: Record<string, string> = {};
  return {
    post,
    send,
    deploy: async (files: Files, more: object = {}, headers: Record<string, string> = {}) => {
      const body = gzipSync(JSON.stringify({ projectId, files: sent(files), ...more }));
      const response = await post('/api/v1/deploy', body, { ...GZIP, ...token, ...headers });
      const given = response.headers['x-deployment-token'];
      if (given !== undefined) token = { 'x-deployment-token': String(given) };
      return response;
    },
    get: async (id: string) => (await send(`/api/v1/deployments/${id}`, { headers: token })).json,
    rollBack: (id: string, version: string) => post(`/api/v1/deployments/${id}/rollback`, { version }, token),
  };
}

const ok = (response: TestResponse): TestResponse => {
  if (response.status > 299) throw new Error(`${response.status} ${response.text}`);
  return response;
};

const versionOf = ({ headers }: TestResponse) => String(headers.etag).replaceAll('"', '');

/** Returns the page of a deployment and the files that it loads, by path. */
async function visit(id: string) {
  const { send } = newCaller(service.baseUrl);
  const page = ok(await send(`/d/${id}/`, { headers: { 'sec-fetch-mode': 'navigate' } })).text;
  const loaded = new Map<string, TestResponse>();
  const load = async (path: string) => {
    if (loaded.has(path)) return;
    const response = ok(await send(path));
    loaded.set(path, response);
    if (!path.endsWith('.js')) return;
    const folder = path.slice(0, path.lastIndexOf('/'));
    for (const [, name] of response.text.matchAll(/["']\.\/([\w.-]+\.js)["']/g)) await load(`${folder}/${name}`);
  };
  for (const [, path = ''] of page.matchAll(/(?:src|href)="(\/d\/[^"]+)"/g)) await load(path);
  return { page, loaded, scripts: [...loaded.values()].map(({ text }) => text).join('\n') };
}

describe('a project from its source to its page', () => {
  it('is built, edited, rolled back and changed again, and visitors get only what has changed', async () => {
    const project = newProject();
    const first = ok(await project.deploy(PROJECT));
    expect(first.json).toMatchObject({ entry: 'index.html', title: 'Shop', fileCount: 6 });
    const { id } = first.json;
    const before = await visit(id);
    expect(before.scripts).toContain('First');
    expect(before.page).not.toContain('main.tsx');
    for (const [path, { headers }] of before.loaded)
      expect([path, headers['cache-control']]).toEqual([path, expect.stringContaining('immutable')]);

    const edited = { ...PROJECT, 'src/App.tsx': PROJECT['src/App.tsx']?.replace('First', 'Second') ?? '' };
    const second = ok(await project.deploy(edited));
    const after = await visit(id);
    expect(after.scripts).toContain('Second');
    const changed = [...after.loaded.keys()].filter((path) => !before.loaded.has(path));
    expect(changed).toHaveLength(1);
    // An open page of the first version still loads its files.
    for (const path of before.loaded.keys()) ok(await project.send(path));

    const { versions } = await project.get(id);
    const { version } = createRequire(import.meta.url)('react/package.json');
    const build = {
      files: expect.any(Number),
      bytes: expect.any(Number),
      warnings: [expect.stringContaining('VITE_TITLE')],
    };
    expect(versions.map((version: { build: unknown }) => version.build)).toEqual([
      { ...build, packages: { react: version, 'react-dom': version } },
      { ...build, packages: { react: version, 'react-dom': version } },
    ]);

    ok(await project.rollBack(id, versionOf(first)));
    expect((await visit(id)).scripts).toContain('First');
    // The zip is the source of the version that is live.
    const zip = unzipSync((await project.send(`/d/${id}.zip`)).bytes);
    expect(Object.keys(zip).toSorted()).toEqual(Object.keys(PROJECT).toSorted());
    expect(String(Buffer.from(zip['src/App.tsx'] ?? ''))).toBe(PROJECT['src/App.tsx']);
    expect(versionOf(second)).not.toBe(versionOf(first));
    expect(await storedObjects(`sites/${id}/`, service)).toHaveLength(4);
  });
});

describe('a project that cannot be built', () => {
  let project: ReturnType<typeof newProject>;
  let id: string;
  beforeAll(async () => {
    registry.add(
      { name: 'denied', version: '1.0.0', files: { 'index.js': '' } },
      { name: 'gone', version: '1.0.0', files: { 'index.js': '' } },
    );
    registry.faults.set('gone', 'unreachable');
    project = newProject();
    id = ok(await project.deploy(WORKING)).json.id;
  });

  testRows<[what: string, files: Files, error: RegExp, status?: number]>([
    ['a syntax error', { 'src/main.ts': 'const a = 1;\nconst b = ;\n' }, /^src\/main\.ts:2:11: /],
    ['a package that the operator denies', needing('denied'), /denied/],
    ['JSON of 5 MB', FIVE_MEGABYTES, /built file .* has .* bytes, more than/, 413],
  ])('gets one clear error with its place', async (_, files, error, status = 400) => {
    const { status: actual, json } = await project.deploy({ ...WORKING, ...files });
    expect([actual, json.error]).toEqual([status, expect.stringMatching(error)]);
    if (status !== 400) return;
    const [{ path, line, column, message }] = json.problems;
    const place = [path, line, column].filter((part) => part !== undefined).join(':');
    expect(json.error).toBe(place === '' ? message : `${place}: ${message}`);
  });

  it('changes nothing', async () => {
    const { versions } = await project.get(id);
    expect(versions).toHaveLength(1);
    expect(await storedObjects(`sites/${id}/`, service)).toHaveLength(2);
    expect((await visit(id)).scripts).toContain('Hello');
  });

  it('is a 503 with Retry-After if the registry cannot be reached', async () => {
    const { status, headers } = await project.deploy({ ...WORKING, ...needing('gone') });
    expect([status, Number(headers['retry-after'])]).toEqual([503, expect.any(Number)]);
  });
});

it('serves deep links of a project with a client router, and keeps .env to itself', async () => {
  const project = newProject();
  const files = {
    ...PROJECT,
    '.env': 'VITE_TITLE=From the file\nSECRET=hunter2',
    'public/_redirects': '/* /index.html 200',
  };
  const { id } = ok(await project.deploy(files)).json;
  const { page, scripts } = await visit(id);
  expect(scripts).toContain('From the file');
  const deep = ok(await project.send(`/d/${id}/orders/7`, { headers: { 'sec-fetch-mode': 'navigate' } }));
  expect(deep.text).toBe(page);
  for (const path of ['.env', 'src/App.tsx', 'package.json'])
    expect([path, (await project.send(`/d/${id}/${path}`)).text]).toEqual([path, page]);
  const zip = unzipSync((await project.send(`/d/${id}.zip`)).bytes);
  expect(Object.keys(zip).filter((path) => path.includes('.env'))).toEqual([]);
  expect(JSON.stringify(await project.get(id))).not.toMatch(/hunter2|From the file/);
  // A deploy without variables keeps them, and a follow-up has the source.
  ok(await project.deploy({ ...PROJECT, 'src/style.css': 'h1 { color: navy }' }));
  expect((await visit(id)).scripts).toContain('From the file');
});
