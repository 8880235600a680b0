import type { AddressInfo } from 'node:net';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import dynalite from 'dynalite';

/** Starts an in-memory DynamoDB with one table, for one test file. */
export async function startDynamoDB(table: string, hash: string, range?: string) {
  const server = dynalite({ createTableMs: 0 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const keys = range === undefined ? [hash] : [hash, range];
  await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keys.map((key, i) => ({ AttributeName: key, KeyType: i === 0 ? 'HASH' : 'RANGE' })),
      AttributeDefinitions: keys.map((key) => ({ AttributeName: key, AttributeType: 'S' })),
    }),
  );
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
