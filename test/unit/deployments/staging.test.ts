import type { APIGatewayAuthorizerResult, Context } from 'aws-lambda';
import { Callers } from '../../../lambda/access/callers.ts';
import { OriginSecrets } from '../../../lambda/access/origin-secrets.ts';
import { RateLimiter } from '../../../lambda/access/rate-limiter.ts';
import { StageState } from '../../../lambda/access/stage-state.ts';
import { ApiError } from '../../../lambda/contract/errors.ts';
import { contextKey, RATE_LIMIT_HEADERS } from '../../../lambda/contract/headers.ts';
import { newStagedId, stagedOwner } from '../../../lambda/deployments/staging/staged-bodies.ts';
import { stagingAuthorizer } from '../../../lambda/deployments/staging/staging-authorizer.ts';
import { apiUrls } from '../../../lambda/http/request.ts';
import { startMemoryDynamoDB } from '../../support/memory-dynamodb.ts';
import { testRows } from '../../support/rows.ts';

const ANYONE = { owner: 'anonymous', token: undefined };
const KEY = { owner: 'key:a', token: undefined };
const OTHER = { owner: 'key:b', token: undefined };
const HOLDER = { owner: 'anonymous', token: 'ptd_1' };

testRows([
  ['a key', KEY, [OTHER, ANYONE, HOLDER, { ...KEY, token: 'ptd_1' }]],
  ['a deployment token', HOLDER, [ANYONE, KEY, { ...HOLDER, token: 'ptd_2' }, { ...KEY, token: 'ptd_1' }]],
])('binds a body to the credential that sent it', (_, sender, others) => {
  const id = newStagedId(sender);
  expect(stagedOwner(id, sender)).toBe(sender.owner);
  for (const other of others) expect(stagedOwner(id, other)).toBeUndefined();
});

it('lets anyone who knows its id use a body that was sent without credentials, as an anonymous one', () => {
  const id = newStagedId(ANYONE);
  for (const sender of [ANYONE, KEY, HOLDER]) expect(stagedOwner(id, sender)).toBe('anonymous');
});

testRows(['', 'x', '../../sites', newStagedId(KEY).slice(1), `${newStagedId(KEY)}/x`])('rejects a malformed id', (id) =>
  expect(stagedOwner(id, KEY)).toBeUndefined(),
);

const METHOD = 'arn:aws:execute-api:us-east-1:111122223333:abc/api/POST/api/v1/deploy/staged';

const dynamoDB = await startMemoryDynamoDB('windows', 'caller');

/** An authorizer without API keys, whose token issuer is unreachable. */
function authorizer(table = dynamoDB.table) {
  const limiter = new RateLimiter({ db: dynamoDB.db, table, clock: Date.now }, { windowSeconds: 60 });
  const verifyToken = async () => {
    throw new ApiError('unavailable', 'The issuer cannot be reached');
  };
  const callers = new Callers(async () => undefined, verifyToken, { anonymous: 1, key: 2 }, Date.now);
  const originSecrets = new OriginSecrets('secret', new StageState(dynamoDB.db, table, Date.now));
  const apiUrl = apiUrls('https://ptp.example.com');
  const authorize = stagingAuthorizer({
    callers,
    limiter,
    clock: Date.now,
    apiUrl,
    closures: { closedUntil: async () => undefined },
    bytesPerDay: { anonymous: 1e9, anonymousTogether: 1e9, key: 1e9 },
    apiGatewayDoor: true,
    originSecrets,
  });
  return (sourceIp: string, headers: Record<string, string> = {}) => {
    const requestContext = {
      requestId: 'r',
      stage: 'api',
      requestTimeEpoch: Date.now(),
      identity: { sourceIp },
    };
    const event = {
      type: 'REQUEST',
      methodArn: METHOD,
      httpMethod: 'POST',
      path: '/',
      headers: { Host: 'abc.execute-api.us-east-1.amazonaws.com', ...headers },
      requestContext,
    };
    return authorize(event as never, {} as Context) as Promise<APIGatewayAuthorizerResult>;
  };
}

it('allows requests within the limit and denies others with the fields of a 429', async () => {
  const authorize = authorizer();
  const statement = (Effect: string) => [{ Action: 'execute-api:Invoke', Effect, Resource: METHOD }];
  const first = await authorize('192.0.2.1');
  expect(first.principalId).toBe('address:192.0.2.1');
  expect(first.policyDocument.Statement).toEqual(statement('Allow'));
  const { stagedId, location, ...headers } = first.context ?? {};
  expect(Object.keys(headers)).toEqual(RATE_LIMIT_HEADERS.map(contextKey));
  expect(location).toBe(`https://abc.execute-api.us-east-1.amazonaws.com/api/api/v1/deploy/staged/${stagedId}`);

  const second = await authorize('192.0.2.1');
  expect(second.policyDocument.Statement).toEqual(statement('Deny'));
  expect(second.context).toEqual({
    ...headers,
    RateLimit: expect.stringMatching(/^"default";r=0;t=\d+$/),
    error: expect.stringMatching(/^Rate limit exceeded: more than 1 requests[\w .]+$/),
    retryAfter: expect.stringMatching(/^\d+$/),
  });
});

it('binds the id to the deployment token of the request', async () => {
  const authorize = authorizer();
  const ids = await Promise.all(
    ['192.0.2.10', '192.0.2.11'].map(async (address) => {
      const { context } = await authorize(address, { 'X-Deployment-Token': 'ptd_1' });
      return String(context?.stagedId);
    }),
  );
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) {
    expect(stagedOwner(id, { owner: 'anonymous', token: 'ptd_1' })).toBe('anonymous');
    expect(stagedOwner(id, { owner: 'anonymous', token: undefined })).toBeUndefined();
  }
});

it('rejects an invalid credential with exactly "Unauthorized"', async () => {
  await expect(authorizer()('192.0.2.2', { 'X-API-Key': 'ptp_wrong' })).rejects.toThrow(/^Unauthorized$/);
});

it('fails if it cannot verify a token or count a request', async () => {
  const token = { Authorization: 'Bearer a.b.c' };
  await expect(authorizer()('192.0.2.3', token)).rejects.toThrow('The issuer cannot be reached');
  await expect(authorizer('no such table')('192.0.2.4')).rejects.toThrow(/no such table|resource not found/i);
});
