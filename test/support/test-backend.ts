import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand, type PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3';
import type { Account, Bucket, PolicyStatement, Principal, Table } from '../../local/cloud/account.ts';
import { type Backend, startBackend } from '../../local/cloud/backend-server.ts';
import type { DynamoDbSettings } from '../../local/cloud/dynamodb.ts';

export const ACCOUNT_ID = '111122223333';
export const REGION = 'eu-central-1';

export function allow(action: string | string[], resource: string | string[]): PolicyStatement {
  return { Effect: 'Allow', Action: [action].flat(), Resource: [resource].flat() };
}

/** Returns a role of the account, with the access key id `AKIA<name>`. */
export function role(name: string, ...statements: PolicyStatement[]): Principal {
  const arn = `arn:aws:iam::${ACCOUNT_ID}:role/${name}`;
  return { name, arn, secretAccessKey: `secret of ${name}`, statements };
}

export function account(principals: Principal[], buckets: Bucket[] = [], tables: Table[] = []): Account {
  const byKey = Object.fromEntries(principals.map((principal) => [`AKIA${principal.name}`, principal]));
  return { accountId: ACCOUNT_ID, region: REGION, principals: byKey, buckets, tables };
}

/** Returns the configuration of an AWS SDK client that signs as a principal. */
export function clientConfig(url: string, principal: Principal) {
  const credentials = { accessKeyId: `AKIA${principal.name}`, secretAccessKey: principal.secretAccessKey };
  return { endpoint: url, region: REGION, credentials, maxAttempts: 1 };
}

export const s3As = (url: string, principal: Principal) => new S3Client(clientConfig(url, principal));
export const dynamoDbAs = (url: string, principal: Principal) => new DynamoDBClient(clientConfig(url, principal));

/** Returns functions that put and get objects of a bucket as a principal. */
export function bucketAs(url: string, principal: Principal, Bucket: string) {
  const client = s3As(url, principal);
  return {
    client,
    put: (Key: string, Body: string | Buffer | Readable, more: Partial<PutObjectCommandInput> = {}) =>
      client.send(new PutObjectCommand({ Bucket, Key, Body, ...more })),
    get: async (Key: string) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
      return Body?.transformToString();
    },
  };
}

/** Returns the expected members of an SDK client's error, for `toMatchObject`. */
export function apiError(httpStatusCode: number, name?: string) {
  return { ...(name === undefined ? {} : { name }), $metadata: expect.objectContaining({ httpStatusCode }) };
}

/** Starts a backend on a free port, whose state is removed when it is closed. */
export async function startTestBackend(of: Account, more: DynamoDbSettings = {}): Promise<Backend> {
  const stateDir = await mkdtemp(join(tmpdir(), 'backend-'));
  const backend = await startBackend(of, { backendPort: 0, stateDir, ...more });
  return {
    url: backend.url,
    close: async () => {
      await backend.close();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}
