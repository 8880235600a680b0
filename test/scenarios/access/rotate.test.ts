import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UpdateDistributionCommand } from '@aws-sdk/client-cloudfront';
import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { main, rotateOrigin } from '../../../cli/rotate.ts';
import { openStage } from '../../../cli/stage.ts';
import { originSecretDigest } from '../../../lambda/access/origin-secrets.ts';
import { SecretProperties } from '../../../local/cloud/secrets-manager.ts';
import { Stack } from '../../../local/cloud/template/stack.ts';
import { readAssembly } from '../../../local/cloud/template/template.ts';
import { closeAtEnd } from '../../support/at-end.ts';
import { apiGatewayHost } from '../../support/cloud/api-gateway.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';
import { operate } from '../../support/cloud/keys.ts';
import { startVariant } from '../../support/cloud/variant.ts';

const LIMIT = 100_000;
const RATE_LIMIT = { windowSeconds: 3600, anonymous: LIMIT, key: LIMIT };
const FILES = [{ path: 'index.html', content: '<title>x</title>' }];

const updateSeconds = { effect: [0.2, 1.5], completion: [1.5, 2] } as const;
const variant = closeAtEnd(await startVariant({ RATE_LIMIT }, { updateSeconds }));
const stage = await openStage(undefined, { STATE_DIR: variant.stateDir });
afterAll(() => stage[Symbol.dispose]());

const secretOf = async (id: string) =>
  (await stage.secrets.send(new GetSecretValueCommand({ SecretId: id }))).SecretString ?? '';

/**
 * Sends deploys through every edge location, and checks that each counts for its own caller.
 * @returns a function that stops it once it has sent more than 100, and returns what failed
 */
function startLoad() {
  const stop = new AbortController();
  const failures: string[] = [];
  let sent = 0;
  const callers = [0, 1, 2, 3, 4].map(async (edge) => {
    const { post } = newCaller(variant.baseUrl);
    for (let count = 1; !stop.signal.aborted; count++) {
      const headers = { 'x-local-edge': String(edge) };
      const response = await post('/api/v1/deploy', { files: FILES }, headers);
      sent += 1;
      const left = /r=(\d+)/.exec(String(response.headers.ratelimit))?.[1];
      if (response.status !== 201 || Number(left) !== LIMIT - count)
        failures.push(`edge ${edge}, request ${count}: ${response.status}, ${left} left`);
      await sleep(50);
    }
  });
  return async () => {
    while (sent <= 100) await sleep(50);
    stop.abort();
    await Promise.all(callers);
    return failures;
  };
}

/** Returns whether API Gateway's own address believes a viewer address that is sent with a secret. */
async function isBelieved(secret: string): Promise<boolean> {
  const claimed = newCaller(variant.baseUrl);
  const headers = {
    host: apiGatewayHost(variant),
    'x-ptp-origin-secret': secret,
    'x-ptp-viewer-address': claimed.address,
  };
  await newCaller(variant.baseUrl).post('/api/api/v1/deploy', { files: FILES }, headers);
  const { headers: seen } = await claimed.post('/api/v1/deploy', { files: FILES });
  return /r=(\d+)/.exec(String(seen.ratelimit))?.[1] === String(LIMIT - 2);
}

/** A busy machine takes seconds for a request that an edge has sent. */
const WAITS = { spread: 11_000, drain: 5_000, poll: 100 };

it('replaces the origin secret under load without a failed request, even if it is interrupted', async () => {
  const before = await secretOf(stage.output('OriginSecret'));
  expect(await isBelieved(before)).toBe(true);
  const stopLoad = startLoad();
  const said: string[] = [];
  const cloudFront = Object.assign(Object.create(stage.cloudFront), {
    send: async (command: never) => {
      if ((command as object) instanceof UpdateDistributionCommand) throw new Error('interrupted');
      return stage.cloudFront.send(command);
    },
  });
  // It ends before anything depends on what instances have read.
  const interrupted = rotateOrigin({ ...stage, cloudFront }, () => {}, { ...WAITS, spread: 0 });
  await expect(interrupted).rejects.toThrow('interrupted');
  await rotateOrigin(stage, (line) => said.push(line), WAITS);
  expect(said).toEqual([
    'A rotation was not finished: continuing it.',
    expect.stringMatching(/^Functions accept the former and the new secret/),
    expect.stringMatching(/^The distribution is being updated/),
    expect.stringMatching(/^The secret is rotated/),
  ]);
  // Until every instance has read that the former secret is refused.
  await sleep(10_000);
  expect(await stopLoad()).toEqual([]);

  const after = await secretOf(stage.output('OriginSecret'));
  expect(after).not.toBe(before);
  expect(await isBelieved(after)).toBe(true);
  for (const refused of [before, 'guess', originSecretDigest(after)]) expect(await isBelieved(refused)).toBe(false);
});

describe('the secret of tokens', () => {
  const deploy = async (projectId: string, token?: string) => {
    const headers = token === undefined ? {} : { 'x-deployment-token': token };
    return newCaller(variant.baseUrl).post('/api/v1/deploy', { files: FILES, projectId }, headers);
  };
  const tokenIn = ({ headers }: { headers: object }) =>
    String((headers as Record<string, unknown>)['x-deployment-token']);

  /** Changes the times in the secret, as if they had passed, and starts instances that read it. */
  const change = async (edit: (versions: Record<string, unknown>) => object) => {
    const id = stage.output('TokenSecret');
    const SecretString = JSON.stringify(edit(JSON.parse(await secretOf(id))));
    await stage.secrets.send(new PutSecretValueCommand({ SecretId: id, SecretString }));
    await variant.crash('DeploymentsApi');
  };

  it('is rotated with a grace period, in which the holders of older tokens get new ones', async () => {
    const created = await deploy('rotated');
    const first = tokenIn(created);
    expect(first).toMatch(/^ptd_1\.[\w-]{43}$/);

    const said = await operate(main, ['tokens', '--grace', '7d'], variant.stateDir);
    expect(said).toMatch(/^Version 2 is added\. New tokens use it from \S+Z, when every instance knows it\.\n/);
    await expect(operate(main, ['tokens'], variant.stateDir)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Version 2 was just added'),
    });
    await variant.crash('DeploymentsApi');
    expect(tokenIn(await deploy('rotated', first))).toBe(first);

    await change((versions) => ({ ...versions, useFrom: {} }));
    const second = tokenIn(await deploy('rotated', first));
    expect(second).toMatch(/^ptd_2\.[\w-]{43}$/);

    await change((versions) => ({ ...versions, validUntil: { 0: 1, 1: 1 } }));
    const refused = await deploy('rotated', first);
    expect([refused.status, refused.json.error]).toEqual([
      403,
      expect.stringMatching(/has expired, because the service replaced the secret of version 1: send the one/),
    ]);
    expect((await deploy('rotated', second)).status).toBe(200);
  });

  it('accepts the tokens of releases before it had a secret of its own', async () => {
    await change(({ 1: secret }) => ({ 1: secret }));
    const created = await deploy('former');
    const { id } = created.json;
    const ids = await secretOf(idSecretArn());
    const digest = createHmac('sha256', ids)
      .update(JSON.stringify(['deployment-token', 1, id]))
      .digest('base64url');
    const response = await deploy('former', `ptd_${digest}`);
    expect(response.status).toBe(200);
    expect(tokenIn(response)).toBe(tokenIn(created));
  });
});

function idSecretArn(): string {
  const stack = new Stack(readAssembly(join(cloud().stateDir, 'cdk.out')), {
    accountId: '000000000000',
    region: process.env.AWS_REGION ?? 'us-east-1',
    frontDoor: 'localhost:1',
    secretValue: () => '',
  });
  const secrets = stack.all('AWS::SecretsManager::Secret', SecretProperties);
  return secrets.find(({ logicalId }) => logicalId.startsWith('DeploymentsProjectIdSecret'))?.ref ?? '';
}
