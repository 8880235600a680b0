import { sectionsOf } from '../../../../web/reference/content.ts';
import { type Exchange, undocumented, undocumentedEvent } from '../../../support/documented.ts';
import { testRows } from '../../../support/rows.ts';

const HEADERS = {
  'content-type': 'application/json',
  'x-request-id': 'r',
  'x-ratelimit-limit': '10',
  'x-ratelimit-remaining': '9',
  'x-ratelimit-reset': '1795276750',
  'ratelimit-policy': '"default";q=10;w=60',
  ratelimit: '"default";r=9;t=60',
  location: 'http://localhost:3000/d/cjwgplc87z4r',
  etag: '"O15UN4ci2CBf"',
};
const BODY = {
  id: 'cjwgplc87z4r',
  url: HEADERS.location,
  entry: 'index.html',
  fileCount: 1,
  title: null,
  createdAt: 1_795_276_750_000,
};

/** Returns the differences of a response to a deploy. */
function differences(change: Partial<Exchange> & { headers?: Record<string, string | undefined>; fields?: object }) {
  const headers: Record<string, string | undefined> = { ...HEADERS, ...change.headers };
  return undocumented({
    method: 'POST',
    url: new URL('http://localhost:3000/api/v1/deploy'),
    status: 201,
    header: (name) => headers[name],
    body: JSON.stringify({ ...BODY, ...change.fields }),
    ...change,
  });
}

it('accepts a response that is as documented', () => expect(differences({})).toEqual([]));

testRows<[string, Parameters<typeof differences>[0]]>([
  ['the status is not documented', { status: 418 }],
  ['the media type text/html is not documented', { headers: { 'content-type': 'text/html' } }],
  ['the header X-Generation-Id is not documented', { headers: { 'x-generation-id': 'g' } }],
  ['the header Location is missing', { headers: { location: undefined } }],
  ['header X-RateLimit-Limit: data must be integer', { headers: { 'x-ratelimit-limit': 'ten' } }],
  ['header ETag: data must match pattern', { headers: { etag: 'O15UN4ci2CBf' } }],
  ['must NOT have additional properties', { fields: { internal: true } }],
  ["must have required property 'title'", { fields: { title: undefined } }],
  ['data/fileCount must be integer', { fields: { fileCount: '1' } }],
])('finds each difference', (difference, change) => {
  expect(differences(change)).toEqual([expect.stringContaining(difference)]);
});

it('finds a body where none is documented', () => {
  const url = new URL('http://localhost/api/v1/assets/user-assets/HuMVoKbMUylYoINFnwKt8');
  const headers = { location: undefined, etag: undefined };
  const found = differences({ method: 'DELETE', url, status: 204, headers });
  expect(found).toEqual([expect.stringContaining('it has a body')]);
});

testRows([
  ['GET', 'http://localhost/docs'],
  ['GET', 'http://localhost/api/v1/nope'],
  ['OPTIONS', 'http://localhost/api/v1/deploy'],
  ['POST', 'http://site.sites.localhost/api/v1/deploy'],
])('leaves out requests that are no operation', (method, url) => {
  expect(differences({ method, url: new URL(url), status: 418 })).toEqual([]);
});

describe('an event', () => {
  const stream = { method: 'GET', url: new URL('http://localhost/api/v1/generations/Y2vPKGHjqoGFLVo9o7L1Z') };
  const file = { path: 'a.txt', content: 'a', language: 'plaintext', bytes: 1 };
  const event = (data: object, more = {}) => ({
    id: '1',
    event: 'file',
    data: JSON.stringify(data),
    ...more,
  });

  it('is as documented', () => expect(undocumentedEvent(stream, event(file))).toEqual([]));

  testRows([
    ['must NOT have additional properties', event({ ...file, key: 'k' })],
    ["must have required property 'bytes'", event({ ...file, bytes: undefined })],
    ['data/id must match pattern', event(file, { id: 'x' })],
  ])('is compared with its schema', (difference, sent) => {
    expect(undocumentedEvent(stream, sent)).toEqual([expect.stringContaining(difference)]);
  });

  it('differs if its type is unknown', () => {
    expect(undocumentedEvent(stream, event(file, { event: 'progress' })).join()).toContain('has no schema');
  });
});

it('refuses a text whose code has no label', () => {
  const sections = (fence: string) => sectionsOf(`## Data {#data}\n\n${fence}\n{}\n\`\`\`\n`);
  expect(sections('```json Rules')).toMatchObject([{ blocks: [{ language: 'json', label: 'Rules', code: '{}' }] }]);
  expect(() => sections('```json')).toThrow('Code needs a language and a label after its fence: ```json');
});
