import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newCaller } from '../client.ts';
import { startVariant, type Variant } from '../variant.ts';

/**
 * What DynamoDB answers when a request exceeds the maximum of its table.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/throttling-ondemand-capacity-exceeded-mitigation.html
 */
const EXCEEDED = {
  __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException',
  message:
    'Throughput exceeds the maximum OnDemandThroughput configured on table or index. Consider increasing maxWriteRequestUnits',
  throttlingReasons: [{ reason: 'TableWriteMaxOnDemandThroughputExceeded', resource: 'arn:aws:dynamodb:…' }],
};

let variant: Variant;
let throttling: Server;
let refusals = 0;

beforeAll(async () => {
  variant = await startVariant();
  const { baseUrl } = variant;
  // The functions are loaded, and have connections.
  expect((await newCaller(baseUrl).post('/api/v1/generate', {})).status).toBe(400);
  await variant.killBackend();
  throttling = createServer((request, response) => {
    refusals += 1;
    request.resume();
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(EXCEEDED));
  });
  throttling.listen(variant.backendPort, '127.0.0.1');
  await once(throttling, 'listening');
  expect((throttling.address() as AddressInfo).port).toBe(variant.backendPort);
});
afterAll(async () => {
  throttling.closeAllConnections();
  throttling.close();
  await variant.close();
});

it.each([
  ['generate', 'POST', '/api/v1/generate', 503],
  ['deploy', 'POST', '/api/v1/deploy', 502],
  ['a generation', 'GET', '/api/v1/generations/abcdefghijklmnopqrstu', 503],
  ['a deployment', 'GET', '/api/v1/deployments/abcdefghijkl', 502],
] as const)('%s is refused honestly while its table is at its maximum', async (_, method, path, expected) => {
  const before = refusals;
  const { status, headers, json } = await newCaller(variant.baseUrl).send(path, {
    method,
    ...(method === 'POST' ? { body: { attributes: 7 } } : {}),
  });
  expect(refusals).toBeGreaterThan(before);
  expect(status).toBe(expected);
  expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(json).toEqual({ error: expect.stringMatching(/cannot be reached|is unreachable/) });
});

it('a page is a 503 with a status that lets the edge serve its copy', async () => {
  const { status } = await newCaller(variant.baseUrl).send('/d/abcdefghijkl/');
  expect(status).toBe(503);
});
