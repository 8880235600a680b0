import { createHash } from 'node:crypto';
import { unzipSync } from 'fflate';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { newCaller, type TestResponse } from './client.ts';
import { storedObjects } from './stored-objects.ts';
import { NO_RATE_LIMIT, startVariant, type Variant } from './variant.ts';

let registry: TestRegistry;
let service: Variant;
let lock: string;
beforeAll(async () => {
  registry = await startRegistry();
  // The hashes of listed packages are those of npm, which the archives of this registry do not have.
  lock = await registry.lockFile({ react: 'node_modules/react', 'react-dom': 'node_modules/react-dom' });
  const BUILDS = { packages: 'any', minimumAgeDays: 7, deny: [], registry: registry.url };
  service = await startVariant({ BUILDS, ...NO_RATE_LIMIT });
});
afterAll(async () => {
  await service?.close();
  await registry?.close();
});

type Files = Readonly<Record<string, string>>;
const sent = (files: Files) => Object.entries(files).map(([path, content]) => ({ path, content }));

/** A project in plain React, with a style sheet and an image. */
const PROJECT: Files = {
  'package.json': '{"dependencies":{"react":"^19.0.0","react-dom":"^19.0.0"}}',
  'index.html':
    '<!doctype html><title>Shop</title><div id="root"></div><script type="module" src="/src/main.tsx"></script>',
  'src/main.tsx': `import { createRoot } from 'react-dom/client';
//CSS
import { App } from './App';
createRoot(document.getElementById('root')!).render(<App />);`,
  'src/App.tsx': 'export const App = () => <h1>{import.meta.env.VITE_TITLE ?? "First"}</h1>;',
  'src/style.css': 'h1 { color: teal; &:hover { color: red } }',
};

let projects = 0;
/** A caller with a project of its own. */
function newProject() {
  const { post, send } = newCaller(service.baseUrl);
  const projectId = `builds-${++projects}-${Math.random()}`.replace('.', '-');
  let token: Record<string, string> = {};
  return {
    post,
    send,
    deploy: async (files: Files, body: object = {}, headers: Record<string, string> = {}) => {
      const all = { ...files, 'package-lock.json': lock };
      const response = await post('/api/v1/deploy', { projectId, files: sent(all), ...body }, { ...token, ...headers });
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
    const build = { files: expect.any(Number), bytes: expect.any(Number), warnings: [expect.stringContaining('VITE_TITLE')] };
    expect(versions.map((version: { build: unknown }) => version.build)).toEqual([
      { ...build, packages: { react: '19.2.8', 'react-dom': '19.2.8' } },
      { ...build, packages: { react: '19.2.8', 'react-dom': '19.2.8' } },
    ]);

    ok(await project.rollBack(id, versionOf(first)));
    expect((await visit(id)).scripts).toContain('First');
    // The zip is the source of the version that is live.
    const zip = unzipSync((await project.send(`/d/${id}.zip`)).bytes);
    expect(Object.keys(zip).toSorted()).toEqual([...Object.keys(PROJECT), 'package-lock.json'].toSorted());
    expect(String(Buffer.from(zip['src/App.tsx'] ?? ''))).toBe(PROJECT['src/App.tsx']);
    expect(versionOf(second)).not.toBe(versionOf(first));
    expect(await storedObjects(`sites/${id}/`, service)).toHaveLength(4);
  });
});
