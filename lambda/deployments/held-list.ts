import { DeleteCommand, type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { type ItemPage, OwnedItems, type PageRequest } from '../platform/owned-items.ts';
import type { Deployment } from '../stored/deployment.ts';
import { liveVersion } from '../stored/deployment.ts';

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

  async remove(deployment: string): Promise<void> {
    await this.#db.send(new DeleteCommand({ TableName: this.#table, Key: { id: heldId(deployment) } }));
  }
}

/** Whether the operator has let the live version of a deployment through. */
export function isReleased(deployment: Deployment): boolean {
  const points = liveVersion(deployment)?.gate?.points ?? 0;
  return deployment.released !== undefined && points <= deployment.released.points;
}
