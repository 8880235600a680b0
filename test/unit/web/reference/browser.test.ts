import { requestOf } from '../../../../web/reference/browser/call.ts';
import { matches } from '../../../../web/reference/browser/search-match.ts';
import type { Entry, Input } from '../../../../web/reference/browser-data.ts';
import { testRows } from '../../../support/rows.ts';

describe('the search', () => {
  const entries: readonly Entry[] = [
    ['deploy', 'Deploy files', 'Deployments', 'POST /api/v1/deploy Publishes files at a URL.'],
    ['deploy.request.files.sha256', 'files.sha256', 'Deploy files', 'Hash of the bytes.'],
    ['getDeployment', 'Retrieve a deployment', 'Deployments', 'GET /api/v1/deployments/{id}'],
    ['getDeployment.response.versions', 'versions', 'Retrieve a deployment', 'Newest first.'],
    ['getDeployment.response.versions.live', 'versions.live', 'Retrieve a deployment', 'Whether it is live.'],
    ['errors', 'Errors', 'Guides', 'Every error is JSON.'],
    ['error-conflict', '409', 'Errors', 'The state does not allow this.'],
  ];
  const ids = (query: string) => matches(entries, query).map(([id]) => id);

  testRows([
    ['sha256', ['deploy.request.files.sha256']],
    ['versions', ['getDeployment.response.versions', 'getDeployment.response.versions.live']],
    ['409', ['error-conflict']],
    [
      'retrieve DEPLOYMENT',
      ['getDeployment', 'getDeployment.response.versions', 'getDeployment.response.versions.live'],
    ],
    ['hash bytes', ['deploy.request.files.sha256']],
    ['nowhere', []],
  ])('finds operations and fields', (query, expected) => expect(ids(query)).toEqual(expected));

  it('begins with the sections', () => expect(ids(' ')).toEqual(['deploy', 'getDeployment', 'errors']));
});

describe('a request of the page', () => {
  const origin = 'https://ptp.example.com';
  const input = (sent: Input['sent'], name: string, type = 'string', required = false): Input => {
    return { sent, name, type, required, values: undefined, value: undefined };
  };
  const call = {
    method: 'POST' as const,
    path: '/api/v1/things/{id}/',
    inputs: [
      input('path', 'id', 'string', true),
      input('query', 'from'),
      input('headers', 'If-Match'),
      input('request', 'files', 'array of objects'),
      input('request', 'name'),
    ],
  };
  const request = (values: readonly string[], credential = '') =>
    requestOf(call, new Map(call.inputs.map((one, i) => [one, values[i] ?? ''])), credential, origin);

  it('has the values, and no empty ones', () => {
    const { url, init } = request([' a/b ', '2026-01-01', '"v"', '[{}]', '1'], 'ptp_x');
    expect(url).toBe(`${origin}/api/v1/things/a%2Fb/?from=2026-01-01`);
    expect(init.headers).toEqual({
      'If-Match': '"v"',
      'Content-Type': 'application/json',
      Authorization: 'Bearer ptp_x',
    });
    expect(JSON.parse(String(init.body))).toEqual({ files: [{}], name: '1' });
    expect(request(['a']).url).toBe(`${origin}/api/v1/things/a/`);
    expect(request(['a']).init).toMatchObject({
      body: '{}',
      headers: { 'Content-Type': 'application/json' },
    });
  });

  testRows([
    [[''], 'id is empty'],
    [['a', '', '', '[{'], 'files is not JSON'],
  ])('is rejected without its values', (values, message) => expect(() => request(values)).toThrow(message));

  testRows(['//evil.example', '\\\\evil.example', 'https://evil.example', '..', '@evil.example'])(
    'stays on the origin with any id',
    (id) => expect(new URL(request([id]).url).origin).toBe(origin),
  );

  it('is not sent to another origin', () => {
    const path = '//evil.example/{id}';
    expect(() => requestOf({ ...call, path }, new Map([[call.inputs[0] as Input, 'a']]), '', origin)).toThrow('leave');
  });
});
