import { closeAtEnd } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { type Edit, startVariant } from '../../support/cloud/variant.ts';

/** Request units per second, so few that a table has none left for hours after its first request. */
const UNITS = 1e-6;

const withoutThroughput: Edit = (properties, type) => {
  if (type !== 'AWS::DynamoDB::GlobalTable') return;
  properties.WriteOnDemandThroughputSettings = { MaxWriteRequestUnits: UNITS };
  const [replica] = properties.Replicas as [Record<string, unknown>];
  replica.ReadOnDemandThroughputSettings = { MaxReadRequestUnits: UNITS };
};

const REQUESTS = [
  ['generate', 'POST', '/api/v1/generate', 503],
  ['deploy', 'POST', '/api/v1/deploy', 502],
  ['a generation', 'GET', '/api/v1/generations/abcdefghijklmnopqrstu', 503],
  ['a deployment', 'GET', '/api/v1/deployments/abcdefghijkl', 502],
] as const;
const PAGE = '/d/abcdefghijkl/';

const variant = closeAtEnd(await startVariant({}, {}, withoutThroughput));

const send = (method: string, path: string) =>
  newCaller(variant.baseUrl).send(path, {
    method,
    ...(method === 'POST' ? { body: { attributes: 7 } } : {}),
  });

// These use up what the tables have.
for (const [, method, path] of REQUESTS) await send(method, path);
await send('GET', PAGE);

it.each(REQUESTS)('%s is refused honestly while its table is at its maximum', async (_, method, path, expected) => {
  const { status, headers, json } = await send(method, path);
  expect(status).toBe(expected);
  expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(json).toEqual({ error: expect.stringMatching(/cannot be reached|is unreachable/) });
});

it('a page is a 503 with a status that lets the edge serve its copy', async () => {
  expect((await send('GET', PAGE)).status).toBe(503);
});
