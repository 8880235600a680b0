import { randomBytes } from 'node:crypto';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { dayOf } from '../../platform/clock.ts';

/** The partition of the salts, in the table of views. No deployment has this id. */
const SALTS = '#salt';

/** After the end of its day, for a day that nothing else deletes it. */
const KEPT_SECONDS = 3_600;

/**
 * Returns the salt of a day, which all instances share: the first one that asks creates it. It makes hashes of visitors that nobody
 * can compute again, or compare with those of another day, once it is deleted.
 */
export async function saltOf(db: DynamoDBDocumentClient, table: string, day: string): Promise<Uint8Array> {
  const { Attributes } = await db.send(
    new UpdateCommand({
      TableName: table,
      Key: { page: SALTS, day },
      UpdateExpression: 'SET salt = if_not_exists(salt, :salt), expiresAt = :expiresAt',
      ExpressionAttributeValues: {
        ':salt': randomBytes(32),
        ':expiresAt': Date.parse(day) / 1_000 + 86_400 + KEPT_SECONDS,
      },
      ReturnValues: 'ALL_NEW',
    }),
  );
  return Attributes?.salt as Uint8Array;
}

/**
 * Deletes the salts of the days before the current one (UTC). DynamoDB may take days to delete what has expired, so this is called
 * every hour.
 * @returns their number
 */
export async function deletePastSalts(
  db: DynamoDBDocumentClient,
  table: string,
  now: number,
): Promise<number> {
  const { Items = [] } = await db.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'page = :salts AND #day < :today',
      ProjectionExpression: '#day',
      ExpressionAttributeNames: { '#day': 'day' },
      ExpressionAttributeValues: { ':salts': SALTS, ':today': dayOf(now) },
      ConsistentRead: true,
    }),
  );
  await Promise.all(
    Items.map(({ day }) => db.send(new DeleteCommand({ TableName: table, Key: { page: SALTS, day } }))),
  );
  return Items.length;
}
