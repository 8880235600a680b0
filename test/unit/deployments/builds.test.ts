import type { BuildVariables } from '../../../lambda/contract/builds.ts';
import type { DeployFile } from '../../../lambda/contract/deploy.ts';
import { ApiError } from '../../../lambda/contract/errors.ts';
import { deploy } from '../../../lambda/deployments/deploy.ts';
import { newDeploymentNames } from '../../../lambda/deployments/idempotency-store.ts';
import { deleteDeployment, rollBack } from '../../../lambda/deployments/manage.ts';
import { buildsOf } from '../../../lambda/deployments/resource.ts';
import { acceptSubmission, type BuildOptions } from '../../../lambda/deployments/submission.ts';
import { CLOCKS_APART_MS } from '../../../lambda/platform/clock.ts';
import { packSite, unpackSite } from '../../../lambda/sites/archive.ts';
import type { BuildInput } from '../../../lambda/sites/source/build.ts';
import { builtSite, splitHeader } from '../../../lambda/sites/source/build.ts';
import { senderOf, startWorld } from '../../support/deployments.ts';

/** What was built, and for whom. */
let builds: { readonly tenant: string; readonly input: BuildInput }[];
let failure: Error | undefined;
let warnings: string[];
/** What a build publishes besides its page. */
let copied: [path: string, content: string][];

const world = await startWorld();
beforeAll(() => {
  world.stage.builder.build = async (tenant, input) => {
    builds.push({ tenant, input });
    if (failure) throw failure;
    const contents = [
      ['index.html', '<title>Built</title>'],
      ['assets/index-BkC3x9aZ.js', JSON.stringify(input.env)],
      ...copied,
    ] as const;
    const archive = packSite(contents.map(([path, content]) => ({ path, content, size: content.length })));
    return builtSite({ files: 2, bytes: 40, packages: { react: '19.2.0' }, warnings }, archive);
  };
});
beforeEach(() => {
  builds = [];
  failure = undefined;
  warnings = [];
  copied = [];
});

const PAGE = { path: 'index.html', content: '<script type="module" src="/src/main.tsx"></script>' };
const main = (content: string) => ({ path: 'src/main.tsx', content });

let projects = 0;
const newProject = () => `project-${++projects}`;
const send = (projectId: string | undefined, files: DeployFile[], options: BuildOptions = {}) =>
  deploy(acceptSubmission({ files, projectId, ...options }), senderOf('key:a'), newDeploymentNames(), world.stage);
const find = (id: string) => world.find(id);
const stored = (name: string) => world.stored.get(name) ?? new Uint8Array();
const paths = (archive: Uint8Array) => [...unpackSite(archive).keys()];
/** Returns the variables that visitors' page was built with. */
const seen = ({ response, version }: Awaited<ReturnType<typeof send>>): BuildVariables => {
  const { rest } = splitHeader(stored(`${response.id}/${version}.built`));
  return JSON.parse(String(unpackSite(rest).get('assets/index-BkC3x9aZ.js')));
};
const keys = (id: string) => [...world.stored.keys()].filter((key) => key.startsWith(id)).toSorted();

it('stores the source, and beside it what was built of it', async () => {
  const { response, version, bytes } = await send(newProject(), [PAGE, main('1')]);
  expect(response).toMatchObject({ entry: 'index.html', title: 'Built', fileCount: 2 });
  expect(bytes).toBe(PAGE.content.length + 1);
  expect(paths(stored(`${response.id}/${version}`))).toEqual(['index.html', 'src/main.tsx']);
  const { header, rest } = splitHeader(stored(`${response.id}/${version}.built`));
  expect(header).toMatchObject({ files: 2, bytes: 40, packages: { react: '19.2.0' }, env: {} });
  expect(paths(rest)).toEqual(['index.html', 'assets/index-BkC3x9aZ.js']);
  const deployment = await find(response.id);
  expect(deployment.hashedNames).toBe(true);
  expect(builds).toMatchObject([{ tenant: 'key:a', input: { preview: false, chosen: {}, env: {} } }]);
  const reports = await buildsOf(deployment, world.stage.archives);
  expect(reports).toEqual(new Map([[version, { files: 2, bytes: 40, packages: { react: '19.2.0' }, warnings: [] }]]));
});

it('makes the DynamoDB calls of a deploy, and no build of a site or with build: false', async () => {
  const projectId = newProject();
  await send(projectId, [PAGE, main('1')]);
  world.calls();
  await send(projectId, [PAGE, main('2')]);
  expect([world.calls(), builds.length]).toEqual([2, 2]);
  const { response, version } = await send(projectId, [PAGE, main('3')], { build: false });
  expect(response).toMatchObject({ title: null });
  await send(projectId, [{ path: 'index.html', content: 'a page' }]);
  expect(builds).toHaveLength(2);
  expect(world.stored.has(`${response.id}/${version}.built`)).toBe(false);
});

describe('variables', () => {
  const env = { VITE_A: 'request' };
  const dotEnv = { path: '.env', content: 'VITE_A=file\nVITE_B="b"\nSECRET=hunter2' };

  it('of .env files and of the request are built in, and the files are stored nowhere', async () => {
    const files = [PAGE, main('1'), dotEnv, { path: 'server/.env.local', content: 'TOKEN=hunter2' }];
    const deployed = await send(newProject(), files, { env });
    expect(seen(deployed)).toEqual({ VITE_A: 'request', VITE_B: 'b' });
    expect(deployed.response.fileCount).toBe(2);
    expect([...(builds[0]?.input.files.keys() ?? [])]).toEqual(['index.html', 'src/main.tsx']);
    const everything = Buffer.concat([...world.stored.values()]).toString();
    expect(everything).not.toMatch(/hunter2|\.env/);
  });

  it('stay until a deploy sends others, as chosen versions do', async () => {
    const projectId = newProject();
    const first = await send(projectId, [PAGE, main('1'), dotEnv]);
    expect(seen(await send(projectId, [PAGE, main('2')]))).toEqual({ VITE_A: 'file', VITE_B: 'b' });
    expect(builds[1]?.input.chosen).toEqual({ react: '19.2.0' });
    const third = await send(projectId, [PAGE, main('3')], { env });
    expect(seen(third)).toEqual(env);
    // The variables are those of the version that is live.
    await rollBack(await find(first.response.id), first.version, undefined, world.stage);
    expect(seen(await send(projectId, [PAGE, main('4')]))).toEqual({ VITE_A: 'file', VITE_B: 'b' });
    expect(seen(await send(projectId, [PAGE, main('5')], { env: {} }))).toEqual({});
  });

  it('beyond the limits are refused', () => {
    const content = Array.from({ length: 51 }, (_, i) => `VITE_${i}=x`).join('\n');
    expect(() => acceptSubmission({ files: [PAGE, { path: '.env', content }] })).toThrow(
      expect.objectContaining({
        code: 'build_failed',
        message: expect.stringContaining('51 VITE_ variables'),
      }),
    );
  });
});

it('takes files by hash from the source of the live version', async () => {
  const projectId = newProject();
  await send(projectId, [PAGE, main('1')]);
  const { createHash } = await import('node:crypto');
  const sha256 = createHash('sha256').update(PAGE.content).digest('hex');
  const { response, version } = await send(projectId, [{ path: PAGE.path, sha256 }, main('2')]);
  expect(String(unpackSite(stored(`${response.id}/${version}`)).get('index.html'))).toBe(PAGE.content);
  expect(String(builds[1]?.input.files.get('src/main.tsx'))).toBe('2');
  const ofOutput = createHash('sha256').update('{}').digest('hex');
  await expect(send(projectId, [PAGE, { path: 'a', sha256: ofOutput }])).rejects.toMatchObject({
    status: 409,
  });
});

it('changes nothing if a build fails', async () => {
  const projectId = newProject();
  const { response } = await send(projectId, [PAGE, main('1')]);
  const before = [await find(response.id), keys(response.id)];
  const problems = [{ message: 'Unexpected token', path: 'src/main.tsx', line: 1 }];
  failure = new ApiError('build_failed', 'src/main.tsx:1: Unexpected token', { body: { problems } });
  await expect(send(projectId, [PAGE, main('<')])).rejects.toBe(failure);
  await expect(send(newProject(), [PAGE, main('<')])).rejects.toBe(failure);
  await expect(send(undefined, [PAGE, main('<')])).rejects.toBe(failure);
  expect([await find(response.id), keys(response.id)]).toEqual(before);
});

it('refuses a project that it does not build before it calls anything', () => {
  world.calls();
  const files = [
    { path: 'app/page.tsx', content: 'export default () => <p>Hello</p>' },
    { path: 'package.json', content: '{"dependencies":{"next":"16"}}' },
  ];
  expect(() => acceptSubmission({ files })).toThrow(
    expect.objectContaining({
      code: 'build_failed',
      body: { problems: [{ message: expect.stringContaining('next') }] },
    }),
  );
  expect(() => acceptSubmission({ files, build: false })).not.toThrow();
  expect(world.calls()).toBe(0);
});

it('passes on the first warnings of a build, as one line of ASCII', async () => {
  warnings = ['VITE_KEY is not set', 'ü\nis not ASCII', 'three', 'four', 'five'];
  const projectId = newProject();
  const { warning, response } = await send(projectId, [PAGE, main('1')]);
  expect(warning).toBe('VITE_KEY is not set. ??is not ASCII. three. And 2 more'.replace('??', '?'));
  const [report] = (await buildsOf(await find(response.id), world.stage.archives)).values();
  expect(report?.warnings).toEqual(warnings);
  warnings = ['x'.repeat(1_000)];
  expect((await send(projectId, [PAGE, main('2')])).warning).toHaveLength(403);
});

it('publishes no hidden files of a build, and keeps those of the source', async () => {
  copied = [
    ['.env', 'SECRET'],
    ['a/.npmrc', 'SECRET'],
    ['.well-known/security.txt', ''],
  ];
  warnings = ['VITE_KEY is not set'];
  const hidden = ['.gitignore', '.git/config'].map((path) => ({ path, content: '' }));
  const { response, version, warning } = await send(newProject(), [PAGE, main('1'), ...hidden]);
  expect(paths(stored(`${response.id}/${version}`))).toEqual(['index.html', 'src/main.tsx', '.gitignore']);
  const { rest } = splitHeader(stored(`${response.id}/${version}.built`));
  expect(paths(rest).toSorted()).toEqual(['.well-known/security.txt', 'assets/index-BkC3x9aZ.js', 'index.html']);
  expect(warning).toBe(
    'Left out .git/config, .env, a/.npmrc: hidden files, repositories and node_modules are not published. VITE_KEY is not set',
  );
});

it('deletes what was built with its version', async () => {
  const projectId = newProject();
  let id = '';
  for (let i = 0; i < 12; i++) ({ id } = (await send(projectId, [PAGE, main(String(i))])).response);
  const { versions } = await find(id);
  expect(versions).toHaveLength(10);
  expect(keys(id)).toEqual(
    versions.flatMap(({ version }) => [`${id}/${version}`, `${id}/${version}.built`]).toSorted(),
  );
  // A deploy that died after its archives were written.
  world.fail('put');
  await expect(send(projectId, [PAGE, main('died')])).rejects.toThrow('unreachable');
  world.fail(undefined);
  const [dead = ''] = (await find(id)).announced.keys();
  for (const name of [dead, `${dead}.built`]) world.stored.set(`${id}/${name}`, Buffer.from('left'));
  world.now += 120_000 + CLOCKS_APART_MS;
  await send(projectId, [{ path: 'index.html', content: 'a page' }]);
  expect(keys(id).filter((key) => key.includes(dead))).toEqual([]);
  await deleteDeployment(await find(id), undefined, world.stage, undefined);
  expect(keys(id)).toEqual([]);
});
