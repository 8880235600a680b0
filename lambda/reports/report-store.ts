import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type ItemPage, OwnedItems, type PageRequest, Table, unlessConditionFails } from '../platform/dynamodb.ts';
import { KEPT_MS, type ReportedPage } from './reported-page.ts';

/** The list of pages with open reports. No caller has an id with this character. */
const REPORTS = '#reports';

/** Lost races before a change gives up. */
const ROUNDS = 5;

interface Stored {
  readonly page: ReportedPage;
  readonly revision: number;
}

/** Reported pages: one item for each in the table of deployments, whose ids have no colon. */
export class ReportStore {
  readonly #table: Table;
  readonly #items: OwnedItems;

  constructor(db: DynamoDBDocumentClient, table: string) {
    this.#table = new Table(db, table);
    this.#items = new OwnedItems(db, table, { id: 'id', owner: 'listOwner' });
  }

  /** Reads consistently: a report that was answered is counted. */
  async find(deploymentId: string): Promise<ReportedPage | undefined> {
    return (await this.#read(deploymentId))?.page;
  }

  /** Returns pages with open reports, those that were reported last first. */
  async list(request: Omit<PageRequest, 'owner'>): Promise<ItemPage<ReportedPage>> {
    const { items, next } = await this.#items.page({ ...request, owner: REPORTS });
    return { items: items.map((item) => stored(item).page), next };
  }

  /**
   * Changes what is known of a page.
   * @param change returns the page after the change, or undefined to leave it as it is; called again after a lost race
   * @returns the page before the change
   */
  async change(
    deploymentId: string,
    change: (before: ReportedPage | undefined) => ReportedPage | undefined,
  ): Promise<ReportedPage | undefined> {
    for (let round = 0; round < ROUNDS; round++) {
      const before = await this.#read(deploymentId);
      const after = change(before?.page);
      if (after === undefined || (await this.#write(after, before?.revision))) return before?.page;
    }
    throw Object.assign(new Error(`${deploymentId} is being reported by too many`), {
      name: 'ThrottlingException',
    });
  }

  async #read(deploymentId: string): Promise<Stored | undefined> {
    const item = await this.#table.get({ id: itemId(deploymentId) });
    return item && stored(item);
  }

  /** Writes a page, unless it was changed after it was read. */
  async #write(page: ReportedPage, revision: number | undefined): Promise<boolean> {
    const { deploymentId, open, ...attributes } = page;
    const item = {
      id: itemId(deploymentId),
      ...attributes,
      ...(open ? { listOwner: REPORTS } : {}),
      revision: (revision ?? 0) + 1,
      expiresAt: Math.ceil((page.lastAt + KEPT_MS) / 1_000),
    };
    const unchanged =
      revision === undefined
        ? { ConditionExpression: 'attribute_not_exists(id)' }
        : {
            ConditionExpression: 'revision = :revision',
            ExpressionAttributeValues: { ':revision': revision },
          };
    return (await unlessConditionFails(this.#table.put(item, unchanged))) !== undefined;
  }
}

const PREFIX = 'report:';
const itemId = (deploymentId: string) => PREFIX + deploymentId;

function stored(item: Readonly<Record<string, unknown>>): Stored {
  const { id, revision, listOwner, expiresAt: _, ...attributes } = item;
  const deploymentId = String(id).slice(PREFIX.length);
  const open = listOwner === REPORTS;
  return { page: { ...attributes, deploymentId, open } as ReportedPage, revision: revision as number };
}
