/*
 * A stranger sends requests to API Gateway's own address, past CloudFront with its web ACL, and counted for an address of its choice
 * if a header could name it.
 *
 * Before: API Gateway's address served every operation. A flood of 200 a second for a day, from many addresses, was 17.3 million
 * requests: $60 of API Gateway, $11 of writes that count, and what they do. A request could wait 285 s for a generation.
 * Now: the functions refuse it before any call of AWS, in about a millisecond: $60 of API Gateway and $4 of Lambda, and nothing
 * is counted, stored, or waited for.
 */
import { closeAtEnd } from '../support/at-end.ts';
import { apiGatewayHost } from '../support/cloud/api-gateway.ts';
import { newCaller } from '../support/cloud/client.ts';
import { storedObjects } from '../support/cloud/stored-objects.ts';
import { startVariant } from '../support/cloud/variant.ts';

const running = closeAtEnd(await startVariant());

const OPERATIONS: [method: string, path: string, body: object | undefined][] = [
  ['POST', '/api/v1/generate', { prompt: 'a timer' }],
  ['GET', '/api/v1/generations/abcdef', undefined],
  ['GET', '/api/v1/generations/abcdef/result', undefined],
  ['POST', '/api/v1/deploy', { files: [{ path: 'a', content: 'a' }] }],
  ['GET', '/api/v1/deployments', undefined],
  ['POST', '/api/v1/assets/user-assets/', { attributes: { size: 1 } }],
  ['GET', '/api/v1/usage', undefined],
  ['GET', '/nothing', undefined],
  ['POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  ['OPTIONS', '/api/v1/generate', undefined],
  ['OPTIONS', '/api/v1/deploy', undefined],
  ['OPTIONS', '/mcp', undefined],
];
const FORGED = {
  'x-ptp-origin-secret': 'guess',
  'x-ptp-viewer-address': '198.51.100.7',
  'x-api-key': 'ptp_guess',
};

const REFUSED = {
  status: 403,
  headers: { 'access-control-allow-origin': '*' },
  json: { error: 'This address is internal: send requests to the URL of the service' },
};

const direct = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  newCaller(running.baseUrl).send(`/api${path}`, {
    method,
    body,
    headers: { ...headers, host: apiGatewayHost(running) },
  });

const refusesAll = () => {
  it.each(OPERATIONS)('%s %s', async (method, path, body) => {
    // The function for agents knows no secret: it passes on what it gets, and the API refuses it.
    for (const headers of path === '/mcp' ? [{}] : [{}, FORGED])
      expect(await direct(method, path, body, headers)).toMatchObject(REFUSED);
  });

  it('a large body, of which nothing is stored', async () => {
    // API Gateway has one status for each way in which an authorizer refuses; this one has no other call.
    expect((await direct('POST', '/api/v1/deploy/staged', {}, FORGED)).status).toBe(401);
  });
};

describe('API Gateway’s own address refuses', refusesAll);

it('API Gateway’s own address refuses what agents ask of the API with a forged secret', async () => {
  const params = { name: 'deploy', arguments: { files: [{ path: 'index.html', content: 'x' }] } };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const accept = 'application/json, text/event-stream';
  const { json } = await direct('POST', '/mcp', call, { ...FORGED, accept });
  expect(json.result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('internal') }],
  });
});

it('the distribution serves the same operations, agents included', async () => {
  const caller = newCaller(running.baseUrl);
  expect((await caller.post('/api/v1/deploy', { files: [{ path: 'a', content: 'a' }] })).status).toBe(201);
  expect((await caller.send('/api/v1/generate', { method: 'OPTIONS' })).status).toBe(204);
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'deploy', arguments: { files: [{ path: 'index.html', content: 'x' }] } },
  };
  const accept = 'application/json, text/event-stream';
  const { json } = await caller.post('/mcp', call, { accept });
  expect(json.result).toMatchObject({ structuredContent: { created: true } });
  expect(await storedObjects('staged/', running)).toEqual([]);
});

describe('without a database, API Gateway’s own address refuses', () => {
  beforeAll(() => running.killBackend());

  it.each(OPERATIONS)('%s %s', async (method, path, body) => {
    expect(await direct(method, path, body)).toMatchObject(REFUSED);
    if (path === '/mcp') return;
    // A new instance cannot know which secrets are valid now, and says so.
    expect([403, 503]).toContain((await direct(method, path, body, FORGED)).status);
  });
});
