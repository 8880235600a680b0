import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { END_KEY, STATE_KEY } from '../../lambda/stored/data/keys.ts';
import { recount } from '../../lambda/stored/data/recount.ts';
import { siteOf } from '../../lambda/stored/data/site-data.ts';
import { readDeployment } from '../../lambda/stored/deployment.ts';
import type { Item } from './items.ts';

/** Where the data of sites is restored to. */
export interface DataTarget {
  readonly db: DynamoDBDocumentClient;
  readonly table: string;
  /** The table of deployments, which are restored before. */
  readonly deployments: string;
}

/**
 * Decides which items of the table of data are restored: those of sites whose deployments are there, and have this data. What a site has
 * is counted anew after its items were copied.
 */
export class SiteDataRestore {
  readonly #target: DataTarget;
  readonly #wanted = new Map<string, Promise<boolean>>();
  readonly #changed = new Set<string>();

  constructor(target: DataTarget) {
    this.#target = target;
  }

  async isWanted(item: Item): Promise<boolean> {
    const site = item.site?.S ?? '';
    // The state follows from the items, and a site that was deleted is deleted from the restored state, too.
    if ([STATE_KEY, END_KEY].includes(item.key?.S ?? '')) return false;
    const known = this.#wanted.get(site) ?? this.#isThere(site);
    this.#wanted.set(site, known);
    return known;
  }

  /** Notes that an item of a site was copied. */
  note(item: Item): void {
    this.#changed.add(item.site?.S ?? '');
  }

  /** Counts what the sites have. One whose deployment was deleted in the meantime is not deleted any more. */
  async finish(): Promise<void> {
    const { db, table } = this.#target;
    for (const site of this.#changed) {
      const Key = { site: { S: site }, key: { S: END_KEY } };
      await db.send(new DeleteItemCommand({ TableName: table, Key }));
      await recount(site, db, table);
    }
  }

  async #isThere(site: string): Promise<boolean> {
    const [id = ''] = site.split('#');
    const deployment = await readDeployment(this.#target.db, this.#target.deployments, id, Date.now());
    const { data, deletedAt } = deployment ?? {};
    return data !== undefined && deletedAt === undefined && siteOf(id, data) === site;
  }
}
