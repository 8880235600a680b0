import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { log } from '../platform/log.ts';

/** In place of an owner: the list of held pages, for the operator. */
export const HELD = '#held';

export const heldId = (id: string): string => `held:${id}`;

/** Puts a held page on the operator's list. An error is only logged: the page is held, even if the list lacks it. */
export const noteHeld = (
  id: string,
  deployments: { readonly listHeld: (id: string) => Promise<void> },
): Promise<void> =>
  deployments
    .listHeld(id)
    .catch((error: unknown) => log.error('held page not listed', { deployment: id, error }));

/** Puts a held page on the operator's list, or to its beginning. */
export async function listHeld(
  db: DynamoDBDocumentClient,
  TableName: string,
  id: string,
  now: number,
): Promise<void> {
  await db.send(
    new UpdateCommand({
      TableName,
      Key: { id: heldId(id) },
      UpdateExpression: 'SET listOwner = :held, createdAt = :now',
      ExpressionAttributeValues: { ':held': HELD, ':now': now },
    }),
  );
}
