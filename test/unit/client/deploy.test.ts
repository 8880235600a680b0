import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type Deployed, hashes } from '../../../client/client.ts';
import { testRows } from '../../support/rows.ts';
import { anyCharacter } from '../../support/unicode.ts';
import { json, type Reply, startService } from './scripted-service.ts';

const RESPONSE = { id: 'a', url: 'u', entry: 'index.html', fileCount: 1, title: null, createdAt: 1 };
const deployed = json(201, RESPONSE, { etag: '"v1"' });
const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');
const file = (path: string, content: string | Uint8Array = path) => ({ path, content });
const unknown = (...digests: string[]) => json(409, { error: 'Send their content', unknown: digests });

describe('the content of a file', () => {
  const sentAs = async (content: string | Uint8Array) => {
    const { client, received } = await startService([deployed]);
    await client.deploy({ files: [file('a', content)] });
    return received[0]?.json.files[0];
  };

  testRows<[string, string | Uint8Array, string]>([
    ['text', 'a\0ü😀\r\n', 'a\0ü😀\r\n'],
    ['bytes that are UTF-8', Buffer.from('ü😀'), 'ü😀'],
    ['a byte order mark', Uint8Array.of(0xef, 0xbb, 0xbf, 0x61), '\ufeffa'],
    ['nothing', new Uint8Array(), ''],
  ])('is sent as text if it is UTF-8', async (_, content, text) => {
    expect(await sentAs(content)).toEqual({ path: 'a', content: text });
  });

  it('arrives byte for byte', async () => {
    const { client, received } = await startService([deployed]);
    const marked = fc.uint8Array().map((bytes) => Uint8Array.of(0xef, 0xbb, 0xbf, ...bytes));
    const text = fc.string({ unit: anyCharacter }).map((string) => new TextEncoder().encode(string));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.uint8Array(), marked, text)), async (contents) => {
        await client.deploy({ files: contents.map((bytes) => file('a', bytes)) });
        const sent = received.pop()?.json.files as { content: string; encoding?: BufferEncoding }[];
        const arrived = sent.map(({ content, encoding = 'utf-8' }) => Buffer.from(content, encoding));
        const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
        expect(arrived.map(hex)).toEqual(contents.map(hex));
      }),
      { numRuns: 20 },
    );
  });

  it('is base64 for a megabyte of other bytes', async () => {
    const bytes = new Uint8Array(1_048_575).map((_, i) => i * 31);
    expect(await sentAs(bytes)).toEqual({
      path: 'a',
      content: Buffer.from(bytes).toString('base64'),
      encoding: 'base64',
    });
  });
});

describe('the body of a deploy', () => {
  it('is compressed if that makes it smaller', async () => {
    const { client, received } = await startService([deployed]);
    const random = crypto.getRandomValues(new Uint8Array(30_000));
    await client.deploy({ files: [file('a', 'a'.repeat(30_000))] });
    await client.deploy({ files: [file('a', random)] });
    await client.deploy({ files: [file('a')] });
    expect(received.map(({ headers }) => headers['content-encoding'])).toEqual(['gzip', 'gzip', undefined]);
    expect(received.map(({ body }) => body.length < 40_000)).toEqual([true, true, true]);
    expect(received[1]?.body.length).toBeLessThan(31_000);
    for (const { headers, body } of received) {
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'content-length': String(body.length),
      });
    }
  });

  it('has the fields of the contract only', async () => {
    const { client, received } = await startService([deployed]);
    const project = {
      files: [{ path: 'a', content: 'b', language: 'css' }],
      model: 'm',
      prompt: 'p',
      fileCount: 1,
    };
    await client.deploy({ ...project, projectId: 'site' });
    expect(received[0]?.json).toEqual({ files: [{ path: 'a', content: 'b' }], projectId: 'site' });
  });
});

it('says who may see the pages, and until when', async () => {
  const { client, received } = await startService([deployed]);
  const settings = { expiresInSeconds: 60, access: 'link', linkExpiresInSeconds: 120 } as const;
  await client.deploy({ files: [], ...settings });
  await client.deploy({ generationId: 'g', access: 'password', password: 'correct horse' });
  expect(received.map(({ json }) => json)).toEqual([
    { files: [], ...settings },
    { generationId: 'g', access: 'password', password: 'correct horse' },
  ]);
});

it('returns when an anonymous deployment expires, who may see it, and where it is claimed', async () => {
  const claimUrl = 'https://ptp.example/api/v1/deployments/a/claim';
  const shared = { access: 'link', link: { url: 'l', expiresAt: 2 }, copiesUntil: 3 };
  const { client } = await startService([
    json(
      201,
      { ...RESPONSE, ...shared },
      {
        'x-deployment-expires': '1795276810000',
        link: `<https://a.sites.example/>; rel="canonical", <${claimUrl}>; rel="claim"`,
      },
    ),
    json(201, RESPONSE, { link: `<${claimUrl}>; rel="claim"` }),
  ]);
  expect(await client.deploy({ files: [] })).toMatchObject({
    ...shared,
    expiresAt: 1_795_276_810_000,
    siteUrl: 'https://a.sites.example/',
    claimUrl,
  });
  const unlimited = await client.deploy({ files: [] });
  expect(unlimited).toMatchObject({ siteUrl: null, claimUrl });
  expect(unlimited).not.toHaveProperty('expiresAt');
});

it('returns version, token, warning and site of the headers', async () => {
  const headers = {
    etag: 'W/"v1"',
    'x-deployment-token': 'ptd_1',
    'x-deployment-warning': 'Not built',
    link: '<https://a.sites.example/>; rel="canonical"',
  };
  const { client, received } = await startService([
    json(201, RESPONSE, headers),
    json(200, RESPONSE, { etag: '"v2"' }),
  ]);
  const first = { ...RESPONSE, version: 'v1', token: 'ptd_1', warning: 'Not built', created: true };
  expect(await client.deploy({ files: [] })).toEqual({ ...first, siteUrl: 'https://a.sites.example/' });
  const again = { files: [], projectId: 'p' };
  const second: Deployed = { ...RESPONSE, version: 'v2', siteUrl: null, created: false };
  expect(await client.deploy(again, { token: 'ptd_1', ifMatch: 'v1', idempotencyKey: 'k' })).toEqual(second);
  expect(received[1]?.headers).toMatchObject({
    'x-deployment-token': 'ptd_1',
    'if-match': '"v1"',
    'idempotency-key': 'k',
  });
  await client.deploy(again, { ifMatch: '*' });
  expect(received[2]?.headers).toMatchObject({ 'if-match': '*' });
  expect(received[2]?.headers).not.toHaveProperty('x-deployment-token');
});

it('sends the files of a changed project as the service returned them, also those that are not text', async () => {
  const { client, received } = await startService([deployed]);
  const bytes = Uint8Array.of(0x89, 0xff, 0);
  const image = {
    path: 'a.png',
    content: Buffer.from(bytes).toString('base64'),
    encoding: 'base64',
  } as const;
  await client.deploy({ files: [image, file('index.html')] });
  expect(received[0]?.json.files[0]).toEqual(image);
  expect(await hashes([image])).toEqual([sha256(bytes)]);
});

describe('unchanged files', () => {
  const ONE = [file('a'), file('b'), file('c', Uint8Array.of(255))];
  const TWO = [file('a', 'changed'), file('renamed', 'b'), file('c', Uint8Array.of(255))];
  const TWO_SENT = [
    { path: 'a', content: 'changed' },
    { path: 'renamed', sha256: sha256('b') },
    { path: 'c', sha256: sha256(Uint8Array.of(255)) },
  ];

  it('have the hashes of their bytes', async () => {
    expect(await hashes([...ONE, file('ü', 'ü\ud800')])).toEqual([
      sha256('a'),
      sha256('b'),
      sha256(Uint8Array.of(255)),
      sha256('ü\ufffd'),
    ]);
  });

  it('of the last deploy with the same projectId are sent as hashes', async () => {
    const { client, received } = await startService([deployed]);
    await client.deploy({ projectId: 'p', files: ONE });
    await client.deploy({ projectId: 'p', files: TWO });
    await client.deploy({ projectId: 'other', files: TWO });
    await client.deploy({ files: TWO });
    await client.deploy({ projectId: 'p', files: ONE });
    const sent = received.map(({ json: { files } }) => files);
    expect(sent[0].every((one: object) => 'content' in one)).toBe(true);
    expect(sent[1]).toEqual(TWO_SENT);
    expect(sent[2].every((one: object) => 'content' in one)).toBe(true);
    expect(sent[3].every((one: object) => 'content' in one)).toBe(true);
    expect(sent[4].map((one: object) => 'sha256' in one)).toEqual([false, true, true]);
  });

  it('can be named by the caller', async () => {
    const { client, received } = await startService([deployed]);
    await client.deploy({ projectId: 'p', files: TWO }, { known: new Set(await hashes(ONE)) });
    expect(received[0]?.json.files).toEqual(TWO_SENT);
    await client.deploy({ projectId: 'p', files: TWO }, { known: [] });
    expect(received[1]?.json.files.every((one: object) => 'content' in one)).toBe(true);
    await client.deploy({ files: TWO }, { known: await hashes(TWO) });
    expect(received[2]?.json.files.every((one: object) => 'content' in one)).toBe(true);
  });

  it('are sent under the same key when the service asks for them', async () => {
    const replies = [unknown(sha256('b')), unknown(sha256(Uint8Array.of(255))), deployed];
    const { client, received, waits } = await startService(replies);
    await client.deploy({ projectId: 'p', files: TWO }, { known: await hashes(ONE) });
    const kinds = received.map(({ json: { files } }) => files.map((one: object) => Object.keys(one)[1]).join());
    expect(kinds).toEqual(['content,sha256,sha256', 'content,content,sha256', 'content,content,content']);
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(waits).toEqual([]);
  });

  it.each<[string, string, Reply]>([
    ['asks for what was not left out', 'unknown_files', unknown(sha256('other'))],
    ['has another conflict', 'conflict', json(409, { error: 'Modified concurrently' })],
  ])('end in an error when the service %s', async (_, code, reply) => {
    const { client, received } = await startService([reply]);
    const deploying = client.deploy({ projectId: 'p', files: TWO }, { known: await hashes(ONE) });
    await expect(deploying).rejects.toMatchObject({ status: 409, code });
    expect(received).toHaveLength(1);
  });

  it('are remembered only once they are deployed', async () => {
    const { client, received } = await startService([json(400), deployed]);
    await client.deploy({ projectId: 'p', files: ONE }).catch(() => {});
    await client.deploy({ projectId: 'p', files: ONE });
    expect(received[1]?.json.files.every((one: object) => 'content' in one)).toBe(true);
  });

  it('are sent where the platform has no hashes, as on pages from http:', async () => {
    const { client, received } = await startService([deployed]);
    const subtle = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(crypto), 'subtle');
    Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true });
    try {
      await client.deploy({ projectId: 'p', files: ONE });
      await client.deploy({ projectId: 'p', files: ONE });
    } finally {
      Reflect.deleteProperty(crypto, 'subtle');
    }
    expect(subtle).toBeDefined();
    expect(received[1]?.json.files.every((one: object) => 'content' in one)).toBe(true);
  });
});

const SOURCE = [{ path: 'index.html', content: Buffer.from('<script src=a.ts>') }];

describe('a build', () => {
  it('sends the files and the variables, and returns the built files', async () => {
    const built = { files: [], entry: 'index.html', packages: {}, warnings: [], bytes: 0 };
    const { client, received } = await startService([json(200, built)]);
    const env = { VITE_A: '1' };
    expect(await client.build({ files: SOURCE, env, preview: true })).toEqual(built);
    const files = [{ path: 'index.html', content: '<script src=a.ts>' }];
    expect(received[0]).toMatchObject({ method: 'POST', path: '/api/v1/builds' });
    expect(received[0]?.json).toEqual({ files, env, preview: true });
    await client.deploy({ files: SOURCE, env, build: false });
    expect(received[1]?.json).toEqual({ files, env, build: false });
  });

  it('fails once, with the problems of the source', async () => {
    const problems = [{ message: 'Unexpected token', path: 'a.ts', line: 1, column: 2 }];
    const { client, received } = await startService([json(400, { error: 'a.ts:1:2: …', problems })]);
    const failure = { status: 400, code: 'build_failed', problems };
    await expect(client.build({ files: SOURCE })).rejects.toMatchObject(failure);
    await expect(client.deploy({ files: SOURCE })).rejects.toMatchObject(failure);
    expect(received).toHaveLength(2);
  });

  it('has no problems if something else is wrong', async () => {
    const { client } = await startService([json(400, { error: 'files is empty' })]);
    const failure = { code: 'invalid_request', problems: [] };
    await expect(client.build({ files: [] })).rejects.toMatchObject(failure);
  });
});
