import type { AddressInfo } from 'node:net';
import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import dynalite from 'dynalite';
import { OWNER_INDEX } from '../../lambda/platform/env.ts';

/**
 * Starts an in-memory DynamoDB with one table, for one test file.
 * @param listedBy the attribute with the owner, for an index that is up to date at once
 */
export async function startDynamoDB(table: string, hash: string, range?: string, listedBy?: string) {
  const server = dynalite({ createTableMs: 0 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const keys = range === undefined ? [hash] : [hash, range];
  const index = listedBy === undefined ? undefined : indexBy(listedBy);
  await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keys.map((key, i) => ({ AttributeName: key, KeyType: i === 0 ? 'HASH' : 'RANGE' })),
      AttributeDefinitions: [
        ...keys.map((key) => ({ AttributeName: key, AttributeType: 'S' as const })),
        ...(index?.attributes ?? []),
      ],
      ...(index && {
        GlobalSecondaryIndexes: [{ ...index.definition, KeySchema: [...index.definition.KeySchema] }],
      }),
    }),
  );
  // A table is created after the response, by a timer.
  const status = async () => (await client.send(new DescribeTableCommand({ TableName: table }))).Table?.TableStatus;
  while ((await status()) !== 'ACTIVE');
  const close = async () => {
    client.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    db: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
    table,
    close,
  };
}

/** Returns the index by owner, as the infrastructure defines it. */
export function indexBy(owner: string) {
  return {
    attributes: [
      { AttributeName: owner, AttributeType: 'S' },
      { AttributeName: OWNER_INDEX.sortKey, AttributeType: 'N' },
    ],
    definition: {
      IndexName: OWNER_INDEX.name,
      KeySchema: [
        { AttributeName: owner, KeyType: 'HASH' },
        { AttributeName: OWNER_INDEX.sortKey, KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  } as const;
}
