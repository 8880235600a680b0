import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OPERATIONS, type Operation, type OperationName } from '../../lambda/contract/operations.ts';
import { performScenario } from '../../web/reference/examples/perform.ts';
import { Recorder, type Recordings } from '../../web/reference/examples/recorder.ts';
import { PROJECT } from '../../web/reference/openapi/examples.ts';
import { DOCUMENT_NAMES, documentText } from '../../web/reference/openapi/files.ts';
import { temporaryFolder } from '../support/at-end.ts';
import { storePicture, storePictureOfVersion } from '../support/buckets.ts';
import { newCaller } from '../support/cloud/client.ts';
import { cloud } from '../support/cloud/cloud.ts';
import { keys } from '../support/cloud/keys.ts';
import { noteIssued } from '../support/cloud/tokens.ts';
import { visitorOf } from '../support/private-pages.ts';
import { testRows } from '../support/rows.ts';

const document = JSON.parse(documentText('openapi.json'));

/** Sends each request from an address of its own: together they exceed the rate limit. */
const send: typeof fetch = async (url, { method = 'GET', headers = {}, body, redirect } = {}) => {
  const sent = { method, headers: headers as Record<string, string>, ...(body ? { body } : {}) };
  const answer = await newCaller().send(String(url), sent);
  const { location } = answer.headers;
  if (answer.status === 303 && redirect === 'follow' && location) return send(location, { headers });
  const fields = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
  return new Response(answer.text || null, { status: answer.status, headers: Object.fromEntries(fields) });
};

async function stage(body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const answer = await newCaller().send('/api/v1/deploy/staged', { method: 'POST', body, headers });
  return new URL(String(answer.headers.location)).pathname;
}

const picture = (id: string, attempt: number, png: Uint8Array) => storePicture(id, attempt, png, cloud());

const pictureOfVersion = (id: string, version: string, png: Uint8Array) =>
  storePictureOfVersion(id, version, png, cloud());

async function write(id: string, collection: string, fields: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const sent = { method: 'POST', body: fields, headers };
  expect((await visitorOf(id, cloud().baseUrl)(`/.data/${collection}`, sent)).status).toBe(201);
}

const noted = async (...args: string[]) => {
  const output = await keys(...args);
  return args[0] === 'create' ? noteIssued(output.trim()) : output;
};

/** Returns the path and body of the request that the examples of an operation make up. */
function documentedRequest({ path, method }: Operation) {
  const { parameters = [], requestBody } = document.paths[path][method.toLowerCase()];
  const query: string[] = [];
  let filled = path;
  for (const { name, in: place, example } of parameters) {
    if (place === 'path') filled = filled.replace(`{${name}}`, example);
    if (place === 'query' && example !== undefined) query.push(`${name}=${example}`);
  }
  const body = requestBody?.content['application/json'].example;
  return { path: query.length > 0 ? `${filled}?${query.join('&')}` : filled, body };
}

describe('the requests of the documented examples', () => {
  let performed: Recordings;
  // The responses are checked against the document, as those to all requests of this suite.
  beforeAll(async () => {
    const recorder = new Recorder(cloud().baseUrl, send);
    await performScenario(recorder, {
      slowProvider: 'provider-b',
      keys: noted,
      stage,
      picture,
      pictureOfVersion,
      write,
    });
    performed = recorder.recordings();
  });

  testRows(Object.keys(OPERATIONS) as OperationName[])('have the documented responses', (name) => {
    const { request, response } = performed[name];
    const body = request.body && JSON.parse(JSON.stringify(request.body).replace('$PROJECT', PROJECT));
    expect({ path: request.path, body }).toEqual(documentedRequest(OPERATIONS[name]));
    const { responses } = document.paths[OPERATIONS[name].path][OPERATIONS[name].method.toLowerCase()];
    const example = responses[response.status].content?.['application/json']?.example;
    expect(Object.keys(response.body ?? {}).toSorted()).toEqual(Object.keys(example ?? {}).toSorted());
  });
});

const caller = newCaller();

const headers = { origin: 'https://elsewhere.example' };

testRows(DOCUMENT_NAMES)('serves the description of the API to pages of any origin', async (name) => {
  const answer = await caller.send(`/api/v1/${name}`, { headers });
  expect(answer).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'cache-control': 'max-age=0, s-maxage=300',
      'x-content-type-options': 'nosniff',
    },
  });
  expect(answer.text === documentText(name)).toBe(true);
});

it('responds to other paths beside the documents as the API does', async () => {
  const { status, json } = await caller.send('/api/v1/openapi.yaml');
  expect({ status, json }).toEqual({ status: 404, json: { error: expect.stringContaining('/docs') } });
});

testRows(['/', '/docs'])('links to the description of the API', async (path) => {
  const answer = await caller.send(path);
  expect(answer).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      link: '</api/v1/openapi.json>; rel="service-desc"',
      'x-frame-options': 'DENY',
    },
  });
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
});

const folder = temporaryFolder();
it('has an example at /index.md that runs in a shell', async () => {
  const { text } = await caller.send('/index.md');
  const [, example = ''] = /```shell\n(curl [\s\S]*?)```/.exec(text) ?? [];
  const env = { ...process.env, BASE: cloud().baseUrl };
  const { stdout } = await promisify(execFile)('sh', ['-ec', example], { cwd: folder, env });
  expect(JSON.parse(stdout)).toMatchObject({ title: expect.stringContaining('Pomodoro') });
});

it('the reference has the section that a 429 links to', async () => {
  const caller = newCaller();
  const docs = await caller.send('/docs');
  expect(docs).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
  expect(docs.text).toContain('id="rate-limits"');
  for (const path of ['/api/v1/generate', '/api/v1/deploy', '/api/v1/assets/user-assets/{asset_id}/']) {
    expect(docs.text).toContain(path);
  }
  const start = await caller.send('/');
  expect(start.text).toContain('href="/docs"');
  expect(start.headers).toMatchObject({
    'cross-origin-opener-policy': 'same-origin',
    'x-frame-options': 'DENY',
  });
  expect(cloud().baseUrl).toMatch(/^http:\/\/localhost:/);
});
