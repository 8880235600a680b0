import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { DeployResponse } from '../../lambda/contract/deploy.ts';
import { newCaller, type TestResponse } from '../support/cloud/client.ts';
import { cloud } from '../support/cloud/cloud.ts';
import { newProject } from '../support/cloud/sites.ts';
import { storedObjects } from '../support/cloud/stored-objects.ts';
import { check, expectStatus } from '../support/stage/checks.ts';
import { onStage } from '../support/stage/on-stage.ts';
import { DEPLOY, type Session } from '../support/stage/session.ts';
import { expectVisible } from '../support/stage/visible.ts';

const LOGS = 'The log group *-DeploymentsApiLogs*';

onStage({
  name: 'deploy',
  title: 'A deploy publishes files at a URL',
  means: 'The function cannot write to its table or bucket, or the base URL of its responses is wrong.',
  lookAt: `${LOGS}, and the output BaseUrl of the stack`,
  run: async (session) => {
    const { url } = (await deployWithKey(session)).response.json<DeployResponse>();
    const { href } = session.options.baseUrl;
    check(url.startsWith(href), `The URL of the deployment is ${url}, which is not under ${href}`);
    return url;
  },
});

onStage({
  name: 'idempotency-key',
  title: 'A repeated deploy with an Idempotency-Key changes nothing',
  means: 'A client that repeats a request after a lost response deploys twice.',
  lookAt: `${LOGS}. CloudFront > Distributions > Behaviors > /api/*: the origin request policy sends all headers`,
  run: async (session) => {
    const { call, response } = session.repeatable ?? (await deployWithKey(session));
    const again = await session.api('POST', DEPLOY, call);
    expectStatus(again, 200, 201);
    const [first, second] = [response, again].map(({ headers }) => headers.etag);
    check(first === second, `The request made version ${first}, and its repetition ${second}`);
  },
});

async function deployWithKey(session: Session): Promise<NonNullable<Session['repeatable']>> {
  await session.deploy(async (body) => {
    const { headers } = session.deployCall(body);
    const call = { body, headers: { ...headers, 'idempotency-key': randomUUID() } };
    session.repeatable = { call, response: await session.api('POST', DEPLOY, call) };
    return session.repeatable.response;
  });
  check(session.repeatable !== undefined, 'The deploy has no response');
  return session.repeatable;
}

onStage({
  name: 'deploy-gzip',
  title: 'A body with Content-Encoding: gzip is deployed, even one that is stored first',
  means:
    'API Gateway passes compressed bodies on as text, which damages them, or does not tell S3 how they are encoded.',
  lookAt: 'API Gateway > API settings: binary media types must contain */*',
  run: async (session) => {
    const packed = (body: string) => {
      const { headers } = session.deployCall(body);
      return { body: gzipSync(body), headers: { ...headers, 'content-encoding': 'gzip' } };
    };
    await session.deploy((body) => session.api('POST', DEPLOY, packed(body)));
    const { live } = await session.deploy(async (body) => {
      const stored = await session.api('POST', DEPLOY, { ...packed(body), chunked: true });
      expectStatus(stored, 303);
      return session.follow(stored, { headers: session.ownership });
    });
    return expectVisible(session, live.n);
  },
});

const FIELDS = ['createdAt', 'entry', 'fileCount', 'id', 'title', 'url'];

const page = (title: string) => ({
  files: [
    { path: 'index.html', content: `<!doctype html><title>${title}</title><script src="app.js"></script>` },
    { path: 'app.js', content: `document.title = ${JSON.stringify(title)}` },
    { path: 'css/style.css', content: 'body { color: red }' },
  ],
});

const pathOf = (url: string) => new URL(url).pathname;

describe('POST /api/v1/deploy', () => {
  it('returns exactly the fields of the contract and serves the page', async () => {
    const caller = newCaller();
    const before = Date.now();
    const { status, headers, json } = await caller.post('/api/v1/deploy', page('Hello'));
    expect(status).toBe(201);
    expect(Object.keys(json).toSorted()).toEqual(FIELDS);
    expect(json).toMatchObject({ entry: 'index.html', fileCount: 3, title: 'Hello' });
    expect(json.url).toBe(`${cloud().baseUrl}/d/${json.id}`);
    expect(headers.location).toBe(json.url);
    expect(json.createdAt).toBeGreaterThanOrEqual(before);
    expect(json.createdAt).toBeLessThanOrEqual(Date.now());

    const redirect = await caller.send(`${pathOf(json.url)}?a=1&b=%20`);
    expect(redirect).toMatchObject({ status: 308, headers: { location: `/d/${json.id}/?a=1&b=%20` } });
    const html = await caller.send(`${pathOf(json.url)}/`);
    expect(html).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(html.text).toContain('<title>Hello</title>');
    const [script, style] = await Promise.all(
      ['app.js', 'css/style.css'].map((file) => caller.send(`/d/${json.id}/${file}`)),
    );
    expect(script).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/javascript; charset=utf-8' },
    });
    expect(style).toMatchObject({ status: 200, headers: { 'content-type': 'text/css; charset=utf-8' } });
  });

  it('returns the same URL to two concurrent first deploys of a project', async () => {
    const projectId = `race-${Math.random()}`;
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => newCaller().post('/api/v1/deploy', { ...page(`Racer ${i}`), projectId })),
    );
    expect(new Set(answers.map(({ json }) => json.url)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const { text } = await newCaller().send(`/d/${answers[0]?.json.id}/`);
    expect(text).toMatch(/<title>Racer \d<\/title>/);
  });

  it('has no entry and no title without an HTML file, and serves a list of files', async () => {
    const caller = newCaller();
    const { json } = await caller.post('/api/v1/deploy', {
      files: [{ path: 'main.py', content: 'print(1)' }],
    });
    expect(json).toMatchObject({ entry: '', title: null, fileCount: 1 });
    const listing = await caller.send(`/d/${json.id}/`);
    expect(listing.text).toContain('<a href="main.py">main.py</a>');
  });
});

const site = (name: string) => [{ path: 'index.html', content: `<title>${name}</title>${name}` }];

const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));

describe('Idempotency-Key', () => {
  const key = { 'idempotency-key': 'once-only' };
  const files = site('Once');
  const parts = ({ status, headers, json }: TestResponse) => ({
    status,
    json,
    etag: headers.etag,
    location: headers.location,
  });

  it('creates one deployment for concurrent and later requests', async () => {
    const caller = newCaller();
    const post = () => caller.post(DEPLOY, { files }, key);
    const answers = await Promise.all(times(8, post));
    answers.push(await post());
    const [first] = answers.map(parts);
    expect(first?.status).toBe(201);
    expect(answers.map(parts)).toEqual(answers.map(() => first));
    const { id } = first?.json ?? {};
    expect(await storedObjects(`sites/${id}/`)).toHaveLength(1);
  });

  it('rejects another body, and is separate for each caller', async () => {
    const caller = newCaller();
    const mine = await caller.post(DEPLOY, { files }, key);
    expect(await caller.post(DEPLOY, { files: site('Other') }, key)).toMatchObject({
      status: 422,
      json: { error: expect.stringContaining('Idempotency-Key') },
    });
    const theirs = await newCaller().post(DEPLOY, { files: site('Other') }, key);
    expect(theirs.status).toBe(201);
    expect(theirs.json.id).not.toBe(mine.json.id);
  });
});

/** Deploys two versions of a project. */
async function twoVersions() {
  const caller = newCaller();
  const projectId = newProject();
  const first = await caller.post(DEPLOY, { files: site('First'), projectId });
  const second = await caller.post(DEPLOY, { files: site('Second'), projectId });
  return { caller, projectId, first, second, id: first.json.id };
}

describe('deploying again', () => {
  it('with a stale If-Match returns 412', async () => {
    const { caller, projectId, first, second, id } = await twoVersions();
    const deploy = (etag: unknown) =>
      caller.post('/api/v1/deploy', { files: site('Third'), projectId }, { 'if-match': String(etag) });
    const refused = await deploy(first.headers.etag);
    expect(refused).toMatchObject({
      status: 412,
      json: { error: expect.stringContaining('Nothing was changed') },
    });
    expect((await caller.send(`/d/${id}/`)).text).toContain('Second');
    expect((await deploy(second.headers.etag)).status).toBe(200);
  });

  it('accepts base64 content', async () => {
    const caller = newCaller();
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const file = (content: string, encoding?: string) => ({
      files: [{ path: 'a.png', content, ...(encoding ? { encoding } : {}) }],
    });
    const { json } = await caller.post('/api/v1/deploy', file(png, 'base64'));
    const image = await caller.send(`/d/${json.id}/a.png`);
    expect(image.headers['content-type']).toBe('image/png');
    expect(image.bytes).toEqual(Buffer.from(png, 'base64'));
    expect(await caller.post('/api/v1/deploy', file('not base64!', 'base64'))).toMatchObject({
      status: 400,
      json: { error: 'The content of "a.png" is not base64 (RFC 4648, section 4)' },
    });
    expect(await caller.post('/api/v1/deploy', file('x', 'latin1'))).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining('encoding must be one of utf-8, base64') },
    });
  });
});
