import { setTimeout as sleep } from 'node:timers/promises';
import { BatchWriteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { CLOCKS_APART_MS } from '../../platform/clock.ts';
import { END_INDEX } from '../../platform/env.ts';
import { DynamoDbDataStore } from './data-store.ts';
import { END_KEY, parseItemKey, rulesKey } from './keys.ts';
import { type SiteData, siteOf } from './site-data.ts';
import { type DataBounds, type SiteState, SiteStates } from './site-state.ts';
import { contended, type DataTable, SiteTable } from './site-table.ts';

/** An item whose time has come. */
export interface EndedItem {
  readonly site: string;
  readonly collection: string;
  readonly id: string;
}

/** The most items that one query of the index of ends returns. */
const ENDED_AT_ONCE = 1_000;

/** The most that one `BatchWriteItem` deletes. */
const BATCH = 25;

/** How often a batch is written: DynamoDB can leave keys unprocessed. */
const MAX_WRITES = 8;
const FIRST_PAUSE_MS = 25;

/** The table with the data of all sites. */
export class SiteDataTable {
  readonly #table: DataTable;
  readonly #bounds: DataBounds;

  constructor(table: DataTable, bounds: DataBounds) {
    this.#table = table;
    this.#bounds = bounds;
  }

  /**
   * Returns the data of a site.
   * @param id of its deployment
   * @param read its state, from `readState`, if it has been read for this request
   */
  store(id: string, data: Pick<SiteData, 'since' | 'key'>, read?: Promise<SiteState>): DynamoDbDataStore {
    return new DynamoDbDataStore(this.#table, { site: siteOf(id, data), key: data.key }, this.#bounds, read);
  }

  readState(site: string): Promise<SiteState> {
    return new SiteStates(this.#of(site), this.#bounds).read();
  }

  /** Stores the text of rules under their hash. */
  async putRules(site: string, hash: string, text: string): Promise<void> {
    await this.#of(site).put({ site, key: rulesKey(hash), text }, {});
  }

  async rules(site: string, hash: string): Promise<string | undefined> {
    const item = await this.#of(site).get(rulesKey(hash));
    return item?.text as string | undefined;
  }

  /** Notes that the data of a site has ended, so that a sweep deletes it once no request can be adding to it. */
  async endSite(site: string, now: number): Promise<void> {
    const ends = { endsAt: now + CLOCKS_APART_MS, [END_INDEX.shard]: site.slice(0, 1) };
    await this.#of(site).put({ site, key: END_KEY, ...ends }, {});
  }

  /** Returns sites and items of a shard that have ended, as many as one query finds. */
  async ended(shard: string): Promise<{ readonly sites: readonly string[]; readonly items: readonly EndedItem[] }> {
    const { db, table, clock } = this.#table;
    const { Items = [] } = await db.send(
      new QueryCommand({
        TableName: table,
        IndexName: END_INDEX.name,
        KeyConditionExpression: '#shard = :shard AND #endsAt <= :now',
        ExpressionAttributeNames: { '#shard': END_INDEX.shard, '#endsAt': END_INDEX.sortKey },
        ExpressionAttributeValues: { ':shard': shard, ':now': clock() },
        Limit: ENDED_AT_ONCE,
      }),
    );
    const items = Items.flatMap(({ site, key }) => {
      const item = parseItemKey(key);
      return item ? [{ site, ...item }] : [];
    });
    return { sites: Items.flatMap(({ site, key }) => (key === END_KEY ? [site as string] : [])), items };
  }

  /** Deletes an item whose time is over as a visitor does, so that the counts stay exact. */
  removeEnded({ site, collection, id }: EndedItem): Promise<boolean> {
    // The key is not needed: an item has the hash of its unique value.
    return new DynamoDbDataStore(this.#table, { site, key: '' }, this.#bounds).removeEnded(collection, id);
  }

  /**
   * Deletes what a site has, whatever it is; the note that it has ended last.
   * @param most items
   * @returns whether nothing is left
   */
  async deleteAll(site: string, most: number): Promise<boolean> {
    for (let deleted = 0; deleted < most; deleted += BATCH) {
      const found = await this.#keys(site);
      const keys = found.filter((key) => key !== END_KEY);
      await this.#delete(site, keys.length > 0 ? keys : found);
      if (keys.length === 0) return true;
    }
    return false;
  }

  /** Returns some keys of a site. */
  async #keys(site: string): Promise<string[]> {
    const { db, table } = this.#table;
    const { Items = [] } = await db.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'site = :site',
        ExpressionAttributeNames: { '#key': 'key' },
        ExpressionAttributeValues: { ':site': site },
        ProjectionExpression: '#key',
        ConsistentRead: true,
        // One more than a batch, for the note.
        Limit: BATCH + 1,
      }),
    );
    return Items.map(({ key }) => key as string);
  }

  async #delete(site: string, keys: readonly string[]): Promise<void> {
    const { db, table } = this.#table;
    let requests = keys.slice(0, BATCH).map((key) => ({ DeleteRequest: { Key: { site, key } } }));
    for (let writes = 0; requests.length > 0; writes++) {
      if (writes === MAX_WRITES) throw contended('The table of data');
      if (writes > 0) await sleep(FIRST_PAUSE_MS * 2 ** writes);
      const { UnprocessedItems } = await db.send(new BatchWriteCommand({ RequestItems: { [table]: requests } }));
      requests = (UnprocessedItems?.[table] ?? []) as typeof requests;
    }
  }

  #of(site: string): SiteTable {
    return new SiteTable(this.#table, site);
  }
}

/** The table of data, as deploys and the API of owners use it. */
export type OwnedData = Pick<SiteDataTable, 'putRules' | 'rules' | 'store'>;

/** Notes that the data of a site has ended, even on a stage that has turned data off: the next sweep deletes it. */
export type EndData = SiteDataTable['endSite'];
