import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Account } from '../../local/cloud/account.ts';
import type { OperatorFile } from '../../local/cloud/cloud.ts';
import type { Place } from './buckets.ts';

/** Returns a table of a local service whose name matches, with a client that may do everything. */
export function tableOf(name: RegExp, { stateDir }: Place) {
  const read = <T>(file: string) => JSON.parse(readFileSync(join(stateDir, file), 'utf8')) as T;
  const { accessKeyId, secretAccessKey, region, endpoint } = read<OperatorFile>('operator.json');
  const credentials = { accessKeyId, secretAccessKey };
  const table = read<Account>('account.json').tables.find((one) => name.test(one.name))?.name ?? '';
  return { db: DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials })), table };
}

/** Ends the life of a deployment, which requests cannot end within a minute. */
export async function expire(id: string, place: Place): Promise<void> {
  const { db, table } = tableOf(/-Deployments[0-9A-F]{8}$/, place);
  const update = new UpdateCommand({
    TableName: table,
    Key: { id },
    UpdateExpression: 'SET endsAt = :past',
    ConditionExpression: 'attribute_exists(endsAt)',
    ExpressionAttributeValues: { ':past': Date.now() - 1 },
  });
  await db.send(update).finally(() => db.destroy());
}
