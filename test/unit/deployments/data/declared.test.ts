import { rulesHash, undeclaredWarnings } from '../../../../lambda/deployments/data/declared.ts';
import { deploy } from '../../../../lambda/deployments/deploy.ts';
import { newDeploymentNames } from '../../../../lambda/deployments/idempotency-store.ts';
import { dataWarning, deleteDeployment, rollBack } from '../../../../lambda/deployments/manage.ts';
import type { DeployStage } from '../../../../lambda/deployments/stage.ts';
import { acceptSubmission } from '../../../../lambda/deployments/submission.ts';
import { packContents } from '../../../../lambda/sites/archive.ts';
import { siteOf } from '../../../../lambda/stored/data/site-data.ts';
import { senderOf, startWorld } from '../../../support/deployments.ts';
import { linearTime } from '../../../support/linear-time.ts';

const TEXT = { type: 'object', properties: { text: { type: 'string' } } };
const GUESTBOOK = JSON.stringify({ messages: { create: 'visitor', read: 'visitor', schema: TEXT } });
const CLOSED = JSON.stringify({ messages: { schema: TEXT } });
const OF_AUTHORS = JSON.stringify({ messages: { create: 'visitor', delete: 'author', schema: TEXT } });

it('names some undeclared collections of many, in linear time', () => {
  const files = (line: (i: number) => string) => {
    const lines = Array.from({ length: 3_000 }, (_, i) => line(i)).join('\n');
    return new Map([['a.js', Buffer.from(`import { collection } from './.data/client.js';\n${lines}`)]]);
  };
  const warn = (line: (i: number) => string) => () => undeclaredWarnings(files(line), undefined, 'beside the page');
  expect(warn((i) => `collection('c${i}')`)()).toHaveLength(10);
  linearTime(warn(() => `collection('c1000')`))(warn((i) => `collection('c${i}')`));
});

const world = await startWorld();
let rules: Map<string, string>;
let ended: string[];
beforeEach(() => {
  rules = new Map();
  ended = [];
});

const ORIGINS = { siteOrigin: 'https://*.sites.example' };
const stage = (more: Partial<DeployStage> = {}): DeployStage => ({
  ...world.stage,
  ...ORIGINS,
  data: {
    putRules: async (site, hash, text) => void rules.set(`${site} ${hash}`, text),
  },
  endData: async (site) => void ended.push(site),
  ...more,
});

interface Published extends Partial<DeployStage> {
  readonly declaration?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly owner?: string;
  readonly token?: string;
}

function publish(projectId: string, { declaration, files = {}, owner = 'anonymous', token, ...more }: Published = {}) {
  const all = {
    'index.html': '<title>Page</title>',
    ...(declaration === undefined ? {} : { '_data.json': declaration }),
    ...files,
  };
  const sent = Object.entries(all).map(([path, content]) => ({ path, content }));
  const submission = acceptSubmission({ files: sent, projectId });
  return deploy(submission, senderOf(owner, { token }), newDeploymentNames(), stage(more));
}

const find = (id: string) => world.find(id);

test('the first deploy creates the data of the site, with its rules in the table', async () => {
  const { response } = await publish('first', { declaration: GUESTBOOK });
  const { data, versions } = await find(response.id);
  expect(data).toMatchObject({ rules: rulesHash(GUESTBOOK), key: expect.stringMatching(/^[\w-]{43}$/) });
  expect(rules).toEqual(new Map([[`${siteOf(response.id, data as never)} ${data?.rules}`, GUESTBOOK]]));
  expect(versions[0]?.declaration).toBe(data?.rules);
});

describe('rules change', () => {
  it('not by a deploy that knows only the projectId, in any way', async () => {
    const { response } = await publish('closed', { declaration: GUESTBOOK });
    for (const declaration of [CLOSED, undefined])
      await expect(publish('closed', { ...(declaration && { declaration }) })).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('X-Deployment-Token'),
      });
    const formatted = JSON.stringify(JSON.parse(GUESTBOOK), null, 2);
    await publish('closed', { declaration: formatted });
    await publish('none');
    await expect(publish('none', { declaration: CLOSED })).rejects.toMatchObject({ code: 'forbidden' });
    expect((await find(response.id)).data?.rules).toBe(rulesHash(GUESTBOOK));
  });

  it('by the token and by a key, which keep the data', async () => {
    const { response } = await publish('token', { declaration: GUESTBOOK });
    const { data: before } = await find(response.id);
    const token = await world.stage.tokens.issue(response.id);
    await publish('token', { declaration: CLOSED, token });
    expect((await find(response.id)).data).toEqual({ ...before, rules: rulesHash(CLOSED) });
    await publish('token', { token });
    expect((await find(response.id)).data).toEqual({ ...before, rules: rulesHash('{}') });
    expect(rules.get(`${siteOf(response.id, before as never)} ${rulesHash('{}')}`)).toBe('{}');
    await publish('key', { owner: 'key:a' });
    const { response: ofKey } = await publish('key', { owner: 'key:a', declaration: CLOSED });
    expect((await find(ofKey.id)).data?.rules).toBe(rulesHash(CLOSED));
  });

  it('not by a rollback, which says so', async () => {
    const owner = 'key:a';
    const { response, version } = await publish('back', { owner, declaration: GUESTBOOK });
    await publish('back', { owner, declaration: CLOSED });
    const rolledBack = await rollBack(await find(response.id), version, undefined, stage());
    expect((await find(response.id)).data?.rules).toBe(rulesHash(CLOSED));
    expect(dataWarning(rolledBack)).toContain('rules in force stay');
    expect(dataWarning({ ...rolledBack, live: rolledBack.versions[0]?.version ?? '' })).toBeUndefined();
  });
});

test('a deployment that was deleted and deployed again has other data, and the former ends', async () => {
  const owner = 'key:a';
  const { response } = await publish('again', { owner, declaration: GUESTBOOK });
  const deployment = await find(response.id);
  await deleteDeployment(deployment, undefined, stage(), undefined);
  const former = siteOf(response.id, deployment.data as never);
  expect(ended).toEqual([former]);
  await publish('again', { owner, declaration: GUESTBOOK });
  const { data } = await find(response.id);
  expect([data?.key === deployment.data?.key, data?.since === deployment.data?.since]).toEqual([false, false]);
  await deleteDeployment(await find(response.id), undefined, stage(), undefined);
  await publish('again', { owner });
  expect((await find(response.id)).data).toBeUndefined();
  expect(ended).toEqual([former, former, siteOf(response.id, data as never), siteOf(response.id, data as never)]);
});

test('data ends with its deployment on a stage that has turned data off, and does not come back', async () => {
  const owner = 'key:a';
  const { response } = await publish('off', { owner, declaration: GUESTBOOK });
  const { data, ...deployment } = await find(response.id);
  await publish('off', { owner, data: undefined });
  expect((await find(response.id)).data).toEqual(data);
  await deleteDeployment({ ...deployment, ...(data && { data }) }, undefined, stage({ data: undefined }), undefined);
  await publish('off', { owner, data: undefined });
  expect((await find(response.id)).data).toBeUndefined();
  expect(new Set(ended)).toEqual(new Set([siteOf(response.id, data as never)]));
});

test('deploys that create data at the same time leave one of it, and the other ends', async () => {
  const owner = 'key:a';
  const { response } = await publish('race', { owner });
  await Promise.all([1, 2].map(() => publish('race', { owner, declaration: GUESTBOOK })));
  const { data } = await find(response.id);
  const stored = [...rules.keys()].map((key) => key.split(' ')[0]);
  expect(ended).toEqual(stored.filter((site) => site !== siteOf(response.id, data as never)));
  expect(stored.length - ended.length).toBe(1);
});

it.each<[string, Published, string]>([
  ['a mistake', { declaration: '{ "messages": 1 }' }, '_data.json: messages must be an object'],
  ['broken JSON', { declaration: '{\n"messages": }' }, '_data.json: '],
  ['a file in .data/', { files: { 'a/.data/client.js': '' } }, 'is in a folder .data'],
  [
    'a rule that needs an own origin',
    { declaration: OF_AUTHORS, siteOrigin: undefined },
    'messages.delete: "author" needs to recognize visitors',
  ],
])('a deploy ends with %s', async (_, published, message) => {
  await expect((async () => publish(`bad-${message.length}`, published))()).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining(message),
  });
  expect(rules.size).toBe(0);
});

describe('a deploy warns', () => {
  const EMAILS = GUESTBOOK.replace('"string"', '"string","format":"email"');
  const shared = { siteOrigin: undefined };
  it.each<[string, Published, string | undefined]>([
    ['of nothing on own origins', { declaration: GUESTBOOK }, undefined],
    ['of data that is off', { declaration: '{ not read', data: undefined }, 'its operator has turned it off'],
    ['of a declaration in another folder', { files: { 'a/_data.json': GUESTBOOK } }, 'a/_data.json has no effect'],
    [
      'of a second declaration',
      { declaration: GUESTBOOK, files: { 'a/_data.json': GUESTBOOK } },
      'only _data.json, beside the start page',
    ],
    [
      'of a collection that is not declared, with its first place',
      {
        declaration: GUESTBOOK,
        files: {
          'form.html': '<p>\n<form action="./.data/votes" method="post"></form><form action=".data/messages">',
          'z.js': "import { collection } from './.data/client.js'; collection('votes'); collection('polls')",
        },
      },
      'form.html: line 2 uses the collection "votes", which _data.json does not declare: it declares messages. ' +
        'z.js: line 1 uses the collection "polls"',
    ],
    [
      'of a collection without a declaration',
      { files: { 'a.js': "fetch('.data/votes')" } },
      'a.js: line 1 uses the collection "votes", and there is no _data.json beside the start page',
    ],
    ['of no other function', { files: { 'a.js': "db.open().collection('a'); collection('b')" } }, undefined],
    ['of e-mail addresses that all visitors see', { declaration: EMAILS }, 'email'],
    ['of sites of the shared origin', { declaration: GUESTBOOK, ...shared }, 'share one origin'],
    [
      'of URLs that leave the site',
      { declaration: GUESTBOOK, files: { 'a.js': "import '/.data/client.js'" }, ...shared },
      'a.js refers to /.data/',
    ],
  ])('%s', async (name, published, warning) => {
    const result = await publish(`warns ${name}`.replaceAll(/\W/g, '-'), published);
    if (warning === undefined) expect(result.warning).toBeUndefined();
    else expect(result.warning).toContain(warning);
  });
});

test.each(['_data.json', 'public/_data.json'])('a built site has the %s of its source', async (path) => {
  const output = packContents(new Map([['index.html', Buffer.from('<title>Built</title>')]]));
  const report = { packages: {}, warnings: [] } as never;
  const { response, version } = await publish(`built-${path.length}`, {
    files: {
      'index.html': '<script type="module" src="/src/main.tsx"></script>',
      'src/main.tsx': 'export {}',
      [path]: GUESTBOOK,
    },
    builder: { build: async () => ({ report, archive: output }) } as never,
  });
  expect((await find(response.id)).data?.rules).toBe(rulesHash(GUESTBOOK));
  expect(Buffer.from(world.stored.get(`${response.id}/${version}.built`) ?? []).toString()).toContain('"messages"');
});
