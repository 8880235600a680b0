import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Account } from '../../local/cloud/account.ts';
import { Secrets, SecretsManager } from '../../local/cloud/secrets-manager.ts';
import { readBuckets, readTables, stackResources, withRetained } from '../../local/cloud/storage.ts';
import type { Stack } from '../../local/cloud/template/stack.ts';
import { emptyFolder } from '../support/at-end.ts';
import { stackOf } from '../support/emulated.ts';

const resources = {
  Kept: {
    Type: 'AWS::S3::Bucket',
    DeletionPolicy: 'RetainExceptOnCreate',
    Properties: {
      VersioningConfiguration: { Status: 'Enabled' },
      LifecycleConfiguration: {
        Rules: [
          { Prefix: 'a/', NoncurrentVersionExpiration: { NoncurrentDays: 35 }, Status: 'Enabled' },
          { ExpirationInDays: 1, Status: 'Enabled' },
        ],
      },
    },
  },
  Gone: { Type: 'AWS::S3::Bucket', DeletionPolicy: 'Delete' },
  Items: {
    Type: 'AWS::DynamoDB::GlobalTable',
    DeletionPolicy: 'Retain',
    Properties: {
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
      Replicas: [{ Region: 'us-east-1', PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }],
    },
  },
  Secret: { Type: 'AWS::SecretsManager::Secret', DeletionPolicy: 'Retain', Properties: {} },
};

const accountOf = (stack: Stack): Account => ({
  accountId: '000000000000',
  region: 'us-east-1',
  principals: {},
  buckets: readBuckets(stack),
  tables: readTables(stack),
});

const folder = emptyFolder();

it('keeps the retained resources of a former stack in the state folder, and their names', () => {
  const former = stackOf({ Resources: resources }, { stackName: 'former' });
  const store = (name: string, value: object) => writeFileSync(join(folder, name), JSON.stringify(value));
  store('account.json', withRetained(accountOf(former), folder));
  store('operator.json', { resources: stackResources(former, folder) });
  const next = stackOf({ Resources: resources }, { stackName: 'next' });
  const account = withRetained(accountOf(next), folder);
  expect(account.buckets.map(({ name }) => name)).toEqual(['next-kept', 'next-gone', 'former-kept']);
  expect(account.buckets.at(-1)).toEqual({
    name: 'former-kept',
    retained: true,
    policy: [],
    versions: [{ prefix: 'a/', days: 35 }],
  });
  expect(account.tables.map(({ name, recoverable }) => [name, recoverable])).toEqual([
    ['next-Items', true],
    ['former-Items', true],
  ]);
  expect(stackResources(next, folder)).toEqual({
    former: expect.objectContaining({ Kept: 'former-kept', Items: 'former-Items' }),
    next: expect.objectContaining({ Kept: 'next-kept', Items: 'next-Items' }),
  });
});

it('keeps the value of a retained secret, even if another stack has another key', () => {
  const properties = { GenerateSecretString: { PasswordLength: 20 } };
  const start = (ref: string) => {
    const manager = new SecretsManager(new Secrets(folder), folder, (id) => id);
    manager.add([{ ref, properties, retained: true }]);
    return manager;
  };
  const { SecretString } = start('arn:former').get('arn:former');
  rmSync(join(folder, 'key'));
  const next = start('arn:next');
  expect(next.get('arn:former').SecretString).toBe(SecretString);
  expect(next.get('arn:next').SecretString).not.toBe(SecretString);
});
