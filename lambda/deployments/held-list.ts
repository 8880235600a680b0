import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unlessConditionFails } from '../platform/dynamodb.ts';
import { log } from '../platform/log.ts';
import { type ItemPage, OwnedItems, type PageRequest } from '../platform/owned-items.ts';

/** The list of deployments that wait for the operator. No caller has an id with this character. */
export const HELD = '#held';

const PREFIX = 'held:';

/** Returns the id of the item that has a deployment in the list; ids of deployments have no colon. */
export const heldId = (deployment: string) => PREFIX + deployment;

/** A deployment that is held, and since when, in Unix milliseconds. */
export interface HeldDeployment {
  readonly id: string;
  readonly createdAt: number;
}

/** The deployments that are held, in the table of deployments. */
export class HeldList {
  readonly #db: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #items: OwnedItems;

  constructor(db: DynamoDBDocumentClient, table: string) {
    this.#db = db;
    this.#table = table;
    this.#items = new OwnedItems(db, table, { id: 'id', owner: 'listOwner' });
  }

  /** Returns a page of the list, the last one first. */
  async page(request: Omit<PageRequest, 'owner'>): Promise<ItemPage<HeldDeployment>> {
    const { items, next } = await this.#items.page({ ...request, owner: HELD });
    const held = items.map(({ id, createdAt }) => ({
      id: String(id).slice(PREFIX.length),
      createdAt: Number(createdAt),
    }));
    return { items: held, next };
  }

  /** Returns since when a deployment is in the list, in Unix milliseconds; undefined if it is not. */
  async since(deployment: string): Promise<number | undefined> {
    const Key = { id: heldId(deployment) };
    const { Item } = await this.#db.send(
      new GetCommand({ TableName: this.#table, Key, ConsistentRead: true }),
    );
    return Item?.createdAt as number | undefined;
  }

  /** Removes a deployment from the list, unless it was put there again since then. @param since when it was in the list */
  async remove(deployment: string, since: number): Promise<void> {
    await unlessConditionFails(
      this.#db.send(
        new DeleteCommand({
          TableName: this.#table,
          Key: { id: heldId(deployment) },
          ConditionExpression: 'createdAt = :since',
          ExpressionAttributeValues: { ':since': since },
        }),
      ),
    );
  }
}

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
