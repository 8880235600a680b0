/**
 * A stranger sends requests to API Gateway's own address and claims, as only the distribution may, that they come from other
 * addresses. Whoever is believed has as many rate limits as addresses.
 *
 * Before: a secret that leaked (from a log, a template or a former operator) was valid until somebody replaced it with two
 * deployments, between which requests failed. One computer with it made 10 requests per 60 s for each address that it made up:
 * 1,000 addresses are 14.4 million generations a day, a thousand times the $14,000 of one address.
 * Now: `npm run rotate -- origin` ends it without a failed request. A guessed or former secret is worth what none is: 10 requests
 * per 60 s, 14,400 a day. A flood of guesses costs one read of the state per instance and 10 s, 8,640 a day: less than a cent.
 */

import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { rotateOrigin } from '../../cli/rotate.ts';
import { openStage, type Stage } from '../../cli/stage.ts';
import { OriginSecrets, originSecretDigest } from '../../lambda/access/origin-secrets.ts';
import { StageState } from '../../lambda/access/stage-state.ts';
import { fetchedSecret } from '../../lambda/platform/fetched-secret.ts';
import { DeploymentTokens, readTokenVersions } from '../../lambda/stored/deployment-tokens.ts';
import { apiGatewayHost } from '../support/cloud/api-gateway.ts';
import { newCaller } from '../support/cloud/client.ts';
import { startVariant, type Variant } from '../support/cloud/variant.ts';
import { intercept, startMemoryDynamoDB } from '../support/memory-dynamodb.ts';

const FILES = [{ path: 'index.html', content: '<title>x</title>' }];
const GUESSES = 1_000;

describe('a stage whose secrets were rotated', () => {
  let variant: Variant;
  let stage: Stage;
  let former: string;
  beforeAll(async () => {
    const RATE_LIMIT = { windowSeconds: 3_600, anonymous: 10, key: 100 };
    variant = await startVariant({ RATE_LIMIT }, { updateSeconds: { effect: [0, 0], completion: [0, 0] } });
    stage = await openStage(undefined, { STATE_DIR: variant.stateDir });
    former = await currentValue('OriginSecret');
    await rotateOrigin(stage, () => {}, { spread: 0, drain: 0, poll: 100 });
    // A new instance reads the state at once.
    await variant.crash('DeploymentsApi');
  });
  afterAll(async () => {
    stage?.[Symbol.dispose]();
    await variant?.close();
  });

  const currentValue = async (output: string) => {
    const get = new GetSecretValueCommand({ SecretId: stage.output(output) });
    return (await stage.secrets.send(get)).SecretString ?? '';
  };

  /** Sends 25 requests past the distribution, each with a viewer address of its own. Returns how many were admitted. */
  const forge = async (headers: Record<string, string>) => {
    const attacker = newCaller(variant.baseUrl);
    const claimed = Array.from({ length: 25 }, (_, i) => `198.51.100.${i}`);
    const responses = await Promise.all(
      claimed.map((address) => {
        const claim = { ...headers, 'x-ptp-viewer-address': address, host: apiGatewayHost(variant) };
        return attacker.post('/api/api/v1/deploy', { files: FILES }, claim);
      }),
    );
    return responses.filter(({ status }) => status === 201).length;
  };

  it('believes the distribution', async () => {
    expect(await forge({ 'x-ptp-origin-secret': await currentValue('OriginSecret') })).toBe(25);
  });

  it.each([
    ['no secret', () => undefined],
    ['a guessed secret', () => 'x'.repeat(48)],
    ['an empty secret', () => ''],
    ['the former secret', () => former],
    ['the digest of the former secret', () => originSecretDigest(former)],
    ['several secrets in one header', () => `guess, ${former}`],
  ])('gives a caller with %s no more than one rate limit', async (_, secretOf) => {
    const secret = secretOf();
    const admitted = await forge(secret === undefined ? {} : { 'x-ptp-origin-secret': secret });
    expect(admitted).toBeLessThanOrEqual(10);
  });

  it('refuses a stolen token once its version has expired, whatever it is sent with', async () => {
    const owner = newCaller(variant.baseUrl);
    const created = await owner.post('/api/v1/deploy', { files: FILES });
    const stolen = String(created.headers['x-deployment-token']);
    const { id } = created.json;
    const versions = {
      ...JSON.parse(await currentValue('TokenSecret')),
      2: 'second',
      validUntil: { 0: 1, 1: 1 },
    };
    const SecretString = JSON.stringify(versions);
    await stage.secrets.send(new PutSecretValueCommand({ SecretId: stage.output('TokenSecret'), SecretString }));
    await variant.crash('DeploymentsApi');
    const digest = stolen.split('.')[1] ?? '';
    for (const token of [stolen, `ptd_${digest}`, `ptd_2.${digest}`, `ptd_01.${digest}`]) {
      const headers = { 'x-deployment-token': token };
      const path = `/api/v1/deployments/${id}`;
      const responses = [await owner.send(path, { headers }), await owner.send(path, { method: 'DELETE', headers })];
      expect([token, ...responses.map(({ status }) => status)]).toEqual([token, 403, 403]);
    }
  });
});

describe('a flood of wrong secrets', () => {
  it('costs one read of the state in ten seconds', async () => {
    const dynamoDB = await startMemoryDynamoDB('stage', 'caller');
    const calls = countCalls(dynamoDB.db);
    let now = 0;
    const state = new StageState(dynamoDB.db, dynamoDB.table, () => now);
    const secrets = new OriginSecrets('deployed', state);
    for (now = 0; now < 20_000; now += 20_000 / GUESSES) {
      const headers = { 'x-ptp-origin-secret': `guess ${now}` };
      expect(await secrets.areSentWith({ headers })).toBe(false);
    }
    expect(calls()).toBe(2);
  });

  it('costs one read of the secret of tokens in five minutes, even with versions that do not exist', async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      return '{"1":"first"}';
    };
    const versions = fetchedSecret('arn', readTokenVersions, { read });
    const tokens = new DeploymentTokens({ ids: async () => 'ids', versions, clock: Date.now });
    for (let version = 0; version < GUESSES; version++) {
      const token = `ptd_${version === 0 ? '' : `${version}.`}${'A'.repeat(43)}`;
      await expect(tokens.require('abcdefghijkl', token)).rejects.toMatchObject({ status: 403 });
    }
    expect(reads).toBe(1);
  });
});

/** Returns a function that returns how many calls a client has made. */
function countCalls(db: DynamoDBDocumentClient): () => number {
  let calls = 0;
  intercept(db, (call) => {
    calls += 1;
    return call();
  });
  return () => calls;
}
