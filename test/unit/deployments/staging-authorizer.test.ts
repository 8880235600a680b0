import { jest } from '@jest/globals';
import type { APIGatewayAuthorizerResult, Context } from 'aws-lambda';
import { Callers } from '../../../lambda/access/callers.ts';
import { RateLimiter } from '../../../lambda/access/rate-limiter.ts';
import { ApiError } from '../../../lambda/contract/errors.ts';
import { contextKey, RATE_LIMIT_HEADERS } from '../../../lambda/contract/rate-limit-headers.ts';
import { stagingAuthorizer } from '../../../lambda/deployments/staging-authorizer.ts';
import { startDynamoDB } from '../../support/dynamodb.ts';

const METHOD = 'arn:aws:execute-api:us-east-1:111122223333:abc/api/POST/api/v1/deploy/staged';

let dynamoDB: Awaited<ReturnType<typeof startDynamoDB>>;
beforeAll(async () => {
  dynamoDB = await startDynamoDB('windows', 'caller');
});
afterAll(() => dynamoDB.close());

/** An authorizer without keys, whose issuer of tokens is away. */
function authorizer(table = dynamoDB.table) {
  const limiter = new RateLimiter({ db: dynamoDB.db, table, clock: Date.now, windowSeconds: 60 });
  const callers = new Callers({
    findKey: async () => undefined,
    verifyToken: async () => {
      throw new ApiError('unavailable', 'The issuer cannot be reached');
    },
    clock: Date.now,
    limits: { anonymous: 1, key: 2 },
    originSecret: 'secret',
  });
  const authorize = stagingAuthorizer({ callers, limiter, clock: Date.now });
  return (sourceIp: string, headers: Record<string, string> = {}) => {
    const requestContext = { requestId: 'r', requestTimeEpoch: Date.now(), identity: { sourceIp } };
    const event = {
      type: 'REQUEST',
      methodArn: METHOD,
      httpMethod: 'POST',
      path: '/',
      headers,
      requestContext,
    };
    return authorize(event as never, {} as Context) as Promise<APIGatewayAuthorizerResult>;
  };
}

beforeAll(() => {
  jest.spyOn(console, 'info').mockReturnValue(undefined);
});

it('lets in what is within the limit, and denies the rest with what a 429 says', async () => {
  const authorize = authorizer();
  const statement = (Effect: string) => [{ Action: 'execute-api:Invoke', Effect, Resource: METHOD }];
  const first = await authorize('192.0.2.1');
  expect(first.principalId).toBe('address:192.0.2.1');
  expect(first.policyDocument.Statement).toEqual(statement('Allow'));
  expect(Object.keys(first.context ?? {})).toEqual(RATE_LIMIT_HEADERS.map(contextKey));

  const second = await authorize('192.0.2.1');
  expect(second.policyDocument.Statement).toEqual(statement('Deny'));
  expect(second.context).toEqual({
    ...first.context,
    RateLimit: expect.stringMatching(/^"default";r=0;t=\d+$/),
    error: expect.stringMatching(/^Rate limit exceeded: more than 1 requests[\w .]+$/),
    retryAfter: expect.stringMatching(/^\d+$/),
  });
});

it('says Unauthorized and nothing else of a credential that does not hold', async () => {
  await expect(authorizer()('192.0.2.2', { 'X-API-Key': 'ptp_wrong' })).rejects.toThrow(/^Unauthorized$/);
});

it('fails, and lets nobody in, when it cannot find out', async () => {
  const token = { Authorization: 'Bearer a.b.c' };
  await expect(authorizer()('192.0.2.3', token)).rejects.toThrow('The issuer cannot be reached');
  await expect(authorizer('no such table')('192.0.2.4')).rejects.toThrow(/no such table|resource not found/i);
});
