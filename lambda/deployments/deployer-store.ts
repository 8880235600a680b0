import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { OwnedItems, Table } from '../platform/dynamodb.ts';
import { ItemUpdate } from '../platform/item-update.ts';
import { DEPLOYER_KEPT_MS } from '../stored/deployment-owner.ts';

/** The most that one read of the list returns. */
const PAGE = 100;

/** Parts of the table that are scanned at the same time. */
const SEGMENTS = 8;

/** Which deployments an address deployed to, in the table of deployments, whose ids have no colon. */
export class DeployerStore {
  readonly #table: Table;
  readonly #items: OwnedItems;

  constructor(db: DynamoDBDocumentClient, table: string) {
    this.#table = new Table(db, table);
    this.#items = new OwnedItems(db, table, { id: 'id', owner: 'listOwner' });
  }

  /** Notes a deploy, for 30 days. @param deployer from `deployerOf` @param now in Unix milliseconds */
  async note(deployer: string, deployment: string, now: number): Promise<void> {
    const { input } = new ItemUpdate()
      .set('listOwner', listOf(deployer))
      .set('createdAt', now)
      .set('expiresAt', Math.ceil((now + DEPLOYER_KEPT_MS) / 1_000));
    await this.#table.update({ id: `from:${deployer}:${deployment}` }, input);
  }

  /**
   * Returns the deployments to which an address deployed within 30 days, the last one first. DynamoDB deletes expired items within
   * days only, so older ones are left out here.
   */
  async deploymentsOf(deployer: string, now: number): Promise<string[]> {
    const ids: string[] = [];
    let after: Parameters<OwnedItems['page']>[0]['after'];
    do {
      const request = { owner: listOf(deployer), limit: PAGE, after };
      const { items, next } = await this.#items.page(request, now - DEPLOYER_KEPT_MS);
      ids.push(...items.map(({ id }) => String(id).split(':').at(-1) ?? ''));
      after = next;
    } while (after);
    return ids;
  }

  /**
   * Returns what stands for the addresses that deployed to a deployment within 30 days. Scans the table, as only an operator does: an
   * index, or a second item, would be a second write of each deploy.
   */
  async deployersOf(deployment: string, now: number): Promise<string[]> {
    const segments = Array.from({ length: SEGMENTS }, (_, Segment) => this.#scan(Segment, deployment, now));
    return (await Promise.all(segments)).flat().map((id) => id.split(':')[1] ?? '');
  }

  async #scan(Segment: number, deployment: string, now: number): Promise<string[]> {
    const pages = paginateScan(
      { client: this.#table.db },
      {
        TableName: this.#table.name,
        Segment,
        TotalSegments: SEGMENTS,
        ProjectionExpression: 'id',
        FilterExpression: 'begins_with(id, :from) AND contains(id, :deployment) AND createdAt >= :since',
        ExpressionAttributeValues: {
          ':from': 'from:',
          ':deployment': `:${deployment}`,
          ':since': now - DEPLOYER_KEPT_MS,
        },
      },
    );
    const ids: string[] = [];
    for await (const { Items = [] } of pages) ids.push(...Items.map(({ id }) => id as string));
    return ids;
  }
}

/** No caller has an id with this character. */
const listOf = (deployer: string) => `#from:${deployer}`;
