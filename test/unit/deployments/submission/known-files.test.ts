import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { BuildVariables } from '../../../../lambda/contract/builds.ts';
import type { DeployFile } from '../../../../lambda/contract/deploy.ts';
import { type ConditionalSender, deploy } from '../../../../lambda/deployments/deploy.ts';
import { newDeploymentNames } from '../../../../lambda/deployments/idempotency-store.ts';
import { deleteDeployment, rollBack } from '../../../../lambda/deployments/manage.ts';
import { acceptSubmission, fingerprint } from '../../../../lambda/deployments/submission.ts';
import { CLOCKS_APART_MS } from '../../../../lambda/platform/clock.ts';
import { packSite } from '../../../../lambda/sites/archive.ts';
import { senderOf, startWorld } from '../../../support/deployments.ts';
import { runs } from '../../../support/soak.ts';
import { anyCharacter } from '../../../support/unicode.ts';

/** The deployments whose archives were read. */
let reads: string[];
const world = await startWorld();
const { archives } = world.stage;
const { get } = archives;
archives.get = (id, version) => {
  reads.push(id);
  return get(id, version);
};
beforeEach(() => {
  reads = [];
});

const ANONYMOUS = senderOf('anonymous', { tenant: 'address:192.0.2.1' });
const KEY: ConditionalSender = { ...ANONYMOUS, owner: 'key:a' };

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');
const text = (path: string, content: string): DeployFile => ({ path, content });
const known = (path: string, content: string | Uint8Array): DeployFile => ({
  path,
  sha256: sha256(content),
});

let projects = 0;
const newProject = () => `project-${++projects}`;
const send = (projectId: string, files: DeployFile[], origin = KEY, names = newDeploymentNames()) =>
  deploy(acceptSubmission({ files, projectId, build: false }), origin, names, world.stage);
const rejection = (sent: Promise<unknown>) =>
  sent.then(
    () => 'accepted',
    ({ status, message, body }) => ({ status, message, body }),
  );
const archiveOf = ({ response, version }: Awaited<ReturnType<typeof send>>) =>
  Buffer.from(world.stored.get(`${response.id}/${version}`) ?? []);
const announced = async (id: string) => (await world.stage.pointers.find(id))?.announced.size;

const SECRET = 'not for others';
const PAGE = text('index.html', '<title>Page</title>');
const unknownSecret = {
  status: 409,
  message:
    'The live version has no file with the sha256 of "stolen.txt": send the files in unknown with their content. Nothing was changed',
  body: { unknown: [sha256(SECRET)] },
};

describe('files by their SHA-256', () => {
  it('cost one read of the live version', async () => {
    const projectId = newProject();
    const { response } = await send(projectId, [PAGE, text('a.js', 'a')]);
    world.calls();
    expect(reads).toEqual([]);
    const { created } = await send(projectId, [PAGE, known('b.js', 'a'), known('c.js', 'a')]);
    expect({ created, calls: world.calls(), reads }).toEqual({
      created: false,
      calls: 2,
      reads: [response.id],
    });
  });

  const html = fc
    .tuple(
      fc.constantFrom('', '\ufeff', '<meta charset="windows-1252">', '<meta charset="iso-2022-jp">\u001b(J'),
      fc.string({ unit: anyCharacter, maxLength: 20 }),
      fc.constantFrom('', '<script type=module src=main.tsx></script>', '\0'),
    )
    .map(([head, title, rest]) => Buffer.from(`${head}<title>${title}</title>${rest}`));
  const content = fc.oneof(
    html,
    fc.string({ unit: anyCharacter, maxLength: 200 }).map((value) => Buffer.from(value)),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  );
  const path = fc.constantFrom('index.html', 'a.html', 'b/index.html', 'package.json', 'c.js', 'd/e.png', '7');
  const way = fc.constantFrom('text', 'base64', 'sha256');
  const site = fc.uniqueArray(fc.record({ path, content }), {
    selector: (file) => file.path,
    minLength: 1,
  });
  const next = fc.uniqueArray(fc.record({ path, content, way, at: fc.nat(), old: fc.boolean() }), {
    selector: (file) => file.path,
    minLength: 1,
  });

  it('mixed with contents deploy the same as all contents', async () => {
    const same = fc.asyncProperty(site, next, async (before, after) => {
      const base64 = (name: string, bytes: Buffer): DeployFile => ({
        path: name,
        content: bytes.toString('base64'),
        encoding: 'base64',
      });
      const files = after.map(({ path, content, way, at, old }) => {
        const bytes = old ? (before[at % before.length]?.content as Buffer) : content;
        const isText = Buffer.from(bytes.toString()).equals(bytes);
        const full = way === 'text' && isText ? text(path, bytes.toString()) : base64(path, bytes);
        return { path, bytes, sent: way === 'sha256' && old ? known(path, bytes) : full };
      });
      const projectId = newProject();
      await send(
        projectId,
        before.map((file) => base64(file.path, file.content)),
      );
      const mixed = await send(
        projectId,
        files.map(({ sent }) => sent),
      );
      const whole = await send(
        newProject(),
        files.map(({ path, bytes }) => base64(path, bytes)),
      );
      expect(archiveOf(mixed).equals(archiveOf(whole))).toBe(true);
      const packed = packSite(files.map(({ path, bytes }) => ({ path, content: bytes, size: bytes.length })));
      expect(archiveOf(mixed).equals(packed)).toBe(true);
      const about = ({ response: { entry, title, fileCount }, bytes, warning }: typeof mixed) => ({
        entry,
        title,
        fileCount,
        bytes,
        warning,
      });
      expect(about(mixed)).toEqual(about(whole));
    });
    await fc.assert(same, { numRuns: runs(60) });
  });

  it('are all listed when they are unknown, each once, and nothing changes', async () => {
    const projectId = newProject();
    const { response } = await send(projectId, [PAGE]);
    const before = [...world.stored.keys()];
    const files = [known('a', 'a'), known('page', '<title>Page</title>'), known('"b"', 'b'), known('also a', 'a')];
    expect(await rejection(send(projectId, files))).toEqual({
      status: 409,
      message: expect.stringContaining('the sha256 of "a" and 2 more: send the files in unknown'),
      body: { unknown: [sha256('a'), sha256('b')] },
    });
    expect([...world.stored.keys()]).toEqual(before);
    expect(await announced(response.id)).toBe(0);
  });

  it('are enough for anyone who may deploy over an anonymous project', async () => {
    const projectId = newProject();
    await send(projectId, [text('a', 'a')], ANONYMOUS);
    expect((await send(projectId, [known('b', 'a')], ANONYMOUS)).created).toBe(false);
  });

  it('count towards the size of a deployment', async () => {
    const projectId = newProject();
    const megabyte = 'm'.repeat(1_048_576);
    const { response } = await send(projectId, [text('0', megabyte)]);
    const copies = (count: number) => Array.from({ length: count }, (_, i) => known(String(i), megabyte));
    expect(await rejection(send(projectId, copies(11)))).toMatchObject({
      status: 413,
      message: 'The files have 11,534,336 bytes: a deployment may have at most 10,485,760',
    });
    expect(await announced(response.id)).toBe(0);
    expect((await send(projectId, copies(10))).bytes).toBe(10_485_760);
  });
});

describe('the fingerprint of a request', () => {
  const of = (files: DeployFile[], projectId?: string, way: { build?: boolean; env?: BuildVariables } = {}) =>
    fingerprint(acceptSubmission({ files, projectId, ...way }));

  it('does not depend on how a file is sent', () => {
    const base64: DeployFile = {
      path: 'a',
      content: Buffer.from('ü').toString('base64'),
      encoding: 'base64',
    };
    expect([of([base64]), of([known('a', 'ü')])]).toEqual([of([text('a', 'ü')]), of([text('a', 'ü')])]);
  });

  it('depends on everything else', () => {
    const different = [
      of([text('a', 'b')]),
      of([text('a', 'b')], 'project'),
      of([text('a', 'c')]),
      of([text('b', 'b')]),
      of([text('a', 'b'), text('c', '')]),
      of([text('c', ''), text('a', 'b')]),
      of([text('a', 'b')], undefined, { build: false }),
      of([text('a', 'b')], undefined, { env: { VITE_TITLE: 'x' } }),
      of([text('a', 'b')], undefined, { env: { VITE_TITLE: 'y' } }),
      of([text('a', 'b')], undefined, { env: {} }),
      of([text('a', 'b'), text('.env', 'VITE_TITLE=z')]),
    ];
    expect(new Set(different).size).toBe(different.length);
  });
});

describe('a hash reveals no file', () => {
  const steal = (projectId: string, origin: ConditionalSender) =>
    rejection(send(projectId, [PAGE, known('stolen.txt', SECRET)], origin));

  it.each([
    ['of another key', KEY, { ...KEY, owner: 'key:b' }],
    ['of a key to an anonymous caller', KEY, ANONYMOUS],
    ['of an anonymous deployment to a key', ANONYMOUS, KEY],
  ])('%s with the same projectId', async (_, owner, thief) => {
    const projectId = newProject();
    const { response } = await send(projectId, [text('secret.txt', SECRET)], owner);
    // Without a deployment of the thief, and with one.
    expect(await steal(projectId, thief)).toEqual(unknownSecret);
    const own = await send(projectId, [PAGE], thief);
    expect(await steal(projectId, thief)).toEqual(unknownSecret);
    expect(own.response.id).not.toBe(response.id);
    expect(reads).toEqual([own.response.id]);
    // The same content, sent by the thief, is the thief's.
    await send(projectId, [text('mine.txt', SECRET)], thief);
    expect(await steal(projectId, thief)).toBe('accepted');
    expect(reads).not.toContain(response.id);
  });

  it('of the same key’s other projects and of versions that are not live', async () => {
    const projectId = newProject();
    await send(newProject(), [text('secret.txt', SECRET)]);
    const first = await send(projectId, [text('secret.txt', SECRET)]);
    const second = await send(projectId, [PAGE]);
    expect(await steal(projectId, KEY)).toEqual(unknownSecret);
    const deployment = await world.stage.pointers.find(first.response.id);
    if (!deployment) throw new Error('the deployment does not exist');
    await rollBack(deployment, first.version, undefined, world.stage);
    expect(await steal(projectId, { ...KEY, ifMatch: [second.version] })).toMatchObject({ status: 412 });
    await send(projectId, [known('secret.txt', SECRET)]);
  });

  it('of a deleted deployment', async () => {
    const projectId = newProject();
    const { response } = await send(projectId, [text('secret.txt', SECRET)]);
    const deployment = await world.stage.pointers.find(response.id);
    if (!deployment) throw new Error('the deployment does not exist');
    await deleteDeployment(deployment, undefined, world.stage, undefined);
    expect(await steal(projectId, KEY)).toEqual(unknownSecret);
    expect(reads).toEqual([]);
    expect(await world.stage.pointers.find(response.id)).toMatchObject({
      deletedAt: expect.any(Number),
      announced: new Map(),
    });
  });

  it.each([
    ['without its token', 401, {}],
    ['with another token', 403, { token: `ptd_${'A'.repeat(43)}` }],
    ['with If-Match of another version', 412, { ifMatch: ['other'] }],
    ['that was taken down', 451, {}],
  ])('of a deployment %s', async (_, status, origin) => {
    const projectId = newProject();
    const { response } = await send(projectId, [text('secret.txt', SECRET)], ANONYMOUS);
    const { id } = response;
    const holder = { ...ANONYMOUS, token: await world.stage.tokens.issue(id) };
    if (status === 401) await send(projectId, [text('secret.txt', SECRET)], holder);
    if (status === 451) await world.stage.pointers.takeDown(id, { at: 1 });
    const right = await steal(projectId, { ...ANONYMOUS, ...origin });
    const wrong = await rejection(send(projectId, [known('stolen.txt', 'a guess')], { ...ANONYMOUS, ...origin }));
    expect(right).toMatchObject({ status });
    expect(wrong).toEqual(right);
    expect(reads).toEqual([]);
    expect(await announced(id)).toBe(0);
  });
});

describe('a deploy with hashes', () => {
  const start = async () => {
    const projectId = newProject();
    const files = [text('index.html', '<title>One</title>'), text('a.js', 'one')];
    const { response, version } = await send(projectId, files);
    return { projectId, id: response.id, version };
  };
  const remove = async (id: string) => {
    const deployment = await world.stage.pointers.find(id);
    if (deployment) await deleteDeployment(deployment, undefined, world.stage, undefined);
  };
  const mix = [text('index.html', '<title>Mixed</title>'), known('a.js', 'one')];
  const whole = packSite([
    { path: 'index.html', content: '<title>Mixed</title>', size: 20 },
    { path: 'a.js', content: 'one', size: 3 },
  ]);

  it.each(['get', 'put'] as const)('keeps its files if another is deployed before the %s', async (step) => {
    const { projectId } = await start();
    world.meanwhile(step, () => send(projectId, [PAGE]));
    expect(archiveOf(await send(projectId, mix)).equals(whole)).toBe(true);
  });

  it('asks for the contents if the version it was to read is deleted', async () => {
    const { projectId, id, version } = await start();
    world.meanwhile('get', async () => world.stored.delete(`${id}/${version}`));
    expect(await rejection(send(projectId, mix))).toMatchObject({ body: { unknown: [sha256('one')] } });
    expect(await announced(id)).toBe(0);
    await send(projectId, [text('index.html', ''), text('a.js', 'one')]);
  });

  it.each(['get', 'put'] as const)('restores nothing if the deployment is deleted before the %s', async (step) => {
    const { projectId, id } = await start();
    world.meanwhile(step, remove);
    expect(await rejection(send(projectId, mix))).toMatchObject({ body: { unknown: [sha256('one')] } });
    expect(await world.stage.pointers.find(id)).toMatchObject({ deletedAt: expect.any(Number) });
    // An archive that it left is deleted by a later deploy.
    world.now += 60_000 + CLOCKS_APART_MS;
    const { version } = await send(projectId, [PAGE]);
    expect([...world.stored.keys()].filter((key) => key.startsWith(id))).toEqual([`${id}/${version}`]);
    expect(await announced(id)).toBe(0);
  });

  it('leaves no announcement if the archive cannot be read', async () => {
    const { projectId, id } = await start();
    world.fail('get');
    await expect(send(projectId, mix)).rejects.toThrow('get is unreachable');
    world.fail(undefined);
    expect(await announced(id)).toBe(0);
  });

  it('is not repeated by a retry with the same names, although its file is gone', async () => {
    const { projectId } = await start();
    const names = newDeploymentNames();
    const first = await send(projectId, mix, KEY, names);
    await send(projectId, [PAGE]);
    expect(await send(projectId, mix, KEY, names)).toEqual(first);
  });
});
