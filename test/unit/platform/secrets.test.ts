import { createServer } from 'node:http';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { fetchedSecret } from '../../../lambda/platform/fetched-secret.ts';
import { SecretUnavailable, secretReader } from '../../../lambda/platform/secrets.ts';
import { awsEndpoint, type ControlPlane } from '../../../local/cloud/aws-endpoint.ts';
import { ApiError } from '../../../local/cloud/aws-http.ts';
import type { SecretsManager } from '../../../local/cloud/secrets-manager.ts';
import { closeAtEnd } from '../../support/at-end.ts';
import { serve } from '../../support/serve.ts';

const ARN = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:';
const credentials = { accessKeyId: 'AKID', secretAccessKey: 'secret' };
const values = new Map<string, string>();
let reads = 0;

const principal = {
  name: 'attempt',
  arn: 'arn:aws:iam::000000000000:role/r',
  secretAccessKey: credentials.secretAccessKey,
  statements: [
    {
      Effect: 'Allow' as const,
      Action: ['secretsmanager:GetSecretValue'],
      Resource: [`${ARN}*_KEY-??????`],
    },
  ],
};
const plane: Pick<ControlPlane, 'region' | 'principals' | 'secretsManager'> = {
  region: 'us-east-1',
  principals: { [credentials.accessKeyId]: principal },
  secretsManager: {
    arn: (id: string) => `${ARN}${id}-local1`,
    get: (id: string) => {
      reads += 1;
      const SecretString = values.get(id);
      if (SecretString === undefined) throw new ApiError(400, 'ResourceNotFoundException', 'None');
      return { ARN, SecretString, VersionId: 'v', VersionStages: ['AWSCURRENT'] };
    },
  } as unknown as SecretsManager,
};
const server = closeAtEnd(await serve(createServer(awsEndpoint(plane as ControlPlane))));
const client = new SecretsManagerClient({ endpoint: server.url, region: 'us-east-1', credentials, maxAttempts: 1 });

describe('the keys of vendors', () => {
  let now = 0;
  beforeEach(() => {
    reads = 0;
    values.clear();
  });

  const reader = () => secretReader(client, () => now);

  it('caches a secret for five minutes and shares concurrent reads', async () => {
    values.set('A_KEY', ' the-key\n');
    const read = reader();
    expect(await Promise.all([read('A_KEY'), read('A_KEY'), read('A_KEY')])).toEqual(Array(3).fill('the-key'));
    values.set('A_KEY', 'rotated');
    now += 299_999;
    expect(await read('A_KEY')).toBe('the-key');
    now += 1;
    expect(await read('A_KEY')).toBe('rotated');
    expect(reads).toBe(2);
  });

  it('does not cache failures', async () => {
    const read = reader();
    await expect(read('B_KEY')).rejects.toThrow();
    values.set('B_KEY', 'there');
    expect(await read('B_KEY')).toBe('there');
  });

  it.each([
    ['NO_KEY', undefined, 'The secret NO_KEY does not exist: create it'],
    ['EMPTY_KEY', ' \n', 'The secret EMPTY_KEY is empty: store the key in it'],
    ['JSON_KEY', '{"JSON_KEY":"sk-1"}', 'The secret JSON_KEY is not a plain key: store only the key in it'],
    ['TWO_KEY', 'sk-1\nsk-2', 'The secret TWO_KEY is not a plain key: store only the key in it'],
    ['OTHER', 'sk-1', 'The function has no access to the secret OTHER: deploy again'],
  ])('rejects the secret %s with the value %j without repeating it', async (name, value, message) => {
    const print = jest.spyOn(console, 'log').mockImplementation(() => {});
    if (value !== undefined) values.set(name, value);
    const failure = await reader()(name).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SecretUnavailable);
    expect((failure as Error).message).toContain(message);
    expect((failure as Error).message).not.toContain('sk-1');
    print.mockRestore();
  });

  it('rejects when Secrets Manager is unreachable', async () => {
    const unreachable = new SecretsManagerClient({
      endpoint: 'http://127.0.0.1:1',
      region: 'us-east-1',
      credentials,
      maxAttempts: 1,
    });
    await expect(secretReader(unreachable)('A_KEY')).rejects.toMatchObject({
      name: 'Error',
      message: 'The secret A_KEY could not be read',
    });
  });
});

describe('the secrets of the service', () => {
  let now = 0;
  let reads = 0;
  let stored: string | Error = 'one';

  const secret = () =>
    fetchedSecret('arn', (text) => text.toUpperCase(), {
      clock: () => now,
      read: async () => {
        reads += 1;
        if (stored instanceof Error) throw stored;
        return stored;
      },
    });

  beforeEach(() => {
    [now, reads, stored] = [0, 0, 'one'];
  });

  it('is read when it is first needed, once for concurrent requests, and again after five minutes', async () => {
    const read = secret();
    expect(reads).toBe(0);
    expect(await Promise.all([read(), read()])).toEqual(['ONE', 'ONE']);
    stored = 'two';
    now = 299_999;
    expect(await read()).toBe('ONE');
    now = 300_000;
    expect(await read()).toBe('TWO');
    expect(reads).toBe(2);
  });

  it('keeps its value while Secrets Manager is unreachable, and tries again after 30 seconds', async () => {
    const read = secret();
    await read();
    stored = new Error('unreachable');
    now = 300_000;
    expect(await Promise.all([read(), read()])).toEqual(['ONE', 'ONE']);
    now = 329_999;
    expect(await read()).toBe('ONE');
    expect(reads).toBe(2);
    stored = 'two';
    now = 330_000;
    expect(await read()).toBe('TWO');
  });

  it('fails without an earlier value, and does not remember the failure', async () => {
    const read = secret();
    stored = new Error('unreachable');
    await expect(read()).rejects.toThrow('unreachable');
    stored = 'one';
    expect(await read()).toBe('ONE');
  });
});
