import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../platform/clock.ts';
import { unlessConditionFails } from '../platform/dynamodb.ts';
import { emitMetrics, log } from '../platform/log.ts';
import { type ItemPage, OwnedItems, type PageRequest } from '../platform/owned-items.ts';

/** The list of deployments that wait for the operator. No caller has an id with this character. */
export const HELD = '#held';

const PREFIX = 'held:';

/** Returns the id of the item that has a deployment in the list; ids of deployments have no colon. */
const heldId = (deployment: string) => PREFIX + deployment;

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

  /** Puts a held page on the list, or moves it to its beginning. @param now in Unix milliseconds */
  async add(deployment: string, now: number): Promise<void> {
    await this.#update(deployment, 'SET listOwner = :held, createdAt = :now', { ':held': HELD, ':now': now });
  }

  /** Takes a page off the list. Its item stays, because functions that deploy may not delete items. */
  async takeOff(deployment: string): Promise<void> {
    await this.#update(deployment, 'REMOVE listOwner, createdAt');
  }

  async #update(
    deployment: string,
    UpdateExpression: string,
    values?: Record<string, unknown>,
  ): Promise<void> {
    await this.#db.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: { id: heldId(deployment) },
        UpdateExpression,
        ...(values && { ExpressionAttributeValues: values }),
      }),
    );
  }
}

/**
 * Puts a page that is held on the operator's list, and takes one off that was held before. Errors are only logged: the
 * page is held or public, whatever the list contains.
 */
export async function noteHeld(
  id: string,
  { was, is }: { readonly was: boolean; readonly is: boolean },
  list: Pick<HeldList, 'add' | 'takeOff'>,
  clock: Clock,
): Promise<void> {
  if (!was && !is) return;
  if (is && !was) emitMetrics('Count', { PagesHeld: 1 });
  await (is ? list.add(id, clock()) : list.takeOff(id)).catch((error: unknown) =>
    log.error('list of held pages not changed', { deployment: id, isHeld: is, error }),
  );
}
