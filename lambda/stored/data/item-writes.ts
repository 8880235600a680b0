import { DATA_INDEXES } from '../../platform/env.ts';
import type { NewItem } from '../../sites/data/store.ts';
import type { Announcement } from './announcement.ts';
import { itemKey } from './keys.ts';
import type { Attributes, SiteTable } from './site-table.ts';
import { newAttributes, type StoredItem, tombstone, toStored } from './stored-item.ts';

type Key = Pick<Announcement, 'collection' | 'id'>;

/** What an item becomes with a change. */
export interface Replacement {
  /** The fields as JSON. */
  readonly text: string;
  readonly shown: boolean;
  readonly updatedAt: number;
  /** The value that is tallied, if it changes. */
  readonly tally?: { readonly to: string | undefined };
}

/**
 * The writes of items. Each is made by an announced change, and repeatable: after one whose response was lost, the item names the
 * change.
 */
export class ItemWrites {
  readonly #table: SiteTable;

  constructor(table: SiteTable) {
    this.#table = table;
  }

  read({ collection, id }: Key): Promise<Attributes | undefined> {
    return this.#table.get(itemKey(collection, id));
  }

  /** @returns false if it took so long that another call undid the creation */
  async create(change: Announcement, item: NewItem, unique: string | undefined): Promise<boolean> {
    const attributes = newAttributes(this.#table.site, change.collection, item, {
      createdBy: change.by,
      unique,
    });
    const created = await this.#table.put(attributes, NEW);
    return created || (await this.read(change))?.createdBy === change.by;
  }

  /** @returns false if the item has changed, or is gone */
  async update(change: Announcement, { text, shown, updatedAt, tally }: Replacement): Promise<boolean> {
    const key = itemKey(change.collection, change.id);
    const { sortKey } = DATA_INDEXES.shown;
    const set = ['#text = :text', 'updatedAt = :updatedAt', 'revision = :next', 'changedBy = :by'];
    if (shown) set.push(`${sortKey} = :shownKey`);
    if (tally?.to !== undefined) set.push('tally = :tally');
    const removed = [...(shown ? [] : [sortKey]), ...(tally && tally.to === undefined ? ['tally'] : [])];
    const updated = await this.#table.update(key, {
      UpdateExpression: `SET ${set.join(', ')}${removed.length > 0 ? ` REMOVE ${removed.join(', ')}` : ''}`,
      ConditionExpression: 'revision = :revision AND (attribute_not_exists(barred) OR barred <> :by)',
      ExpressionAttributeNames: { '#text': 'text' },
      ExpressionAttributeValues: {
        ':text': text,
        ':updatedAt': updatedAt,
        ':revision': change.revision,
        ':next': Number(change.revision) + 1,
        ':by': change.by,
        ...(shown && { ':shownKey': key }),
        ...(tally?.to !== undefined && { ':tally': tally.to }),
      },
      ReturnValues: 'UPDATED_NEW',
    });
    return updated !== undefined || toStored(await this.read(change))?.changedBy === change.by;
  }

  /** Replaces an item by a tombstone. @returns false if the item has changed, or is gone */
  async delete(change: Announcement, { item: { createdAt } }: StoredItem): Promise<boolean> {
    const { site, now } = this.#table;
    const key = itemKey(change.collection, change.id);
    const deleted = await this.#table.put(tombstone(site, key, { createdAt, deletedBy: change.by }, now), {
      ConditionExpression: 'revision = :revision',
      ExpressionAttributeValues: { ':revision': change.revision },
    });
    return deleted || (await this.read(change))?.deletedBy === change.by;
  }

  /** Keeps a creation from writing its item. @returns false if there is an item or a tombstone */
  bar(change: Announcement): Promise<boolean> {
    const { site, now } = this.#table;
    const key = itemKey(change.collection, change.id);
    const place = tombstone(site, key, { createdAt: change.at, undone: change.by }, now);
    return this.#table.put(place, NEW);
  }

  /** Keeps a change from replacing the fields of its item. @returns false if the item has changed, or is gone */
  async barUpdate(change: Announcement): Promise<boolean> {
    const barred = await this.#table.update(itemKey(change.collection, change.id), {
      UpdateExpression: 'SET barred = :by',
      ConditionExpression: 'revision = :revision',
      ExpressionAttributeValues: { ':by': change.by, ':revision': change.revision },
      ReturnValues: 'NONE',
    });
    return barred !== undefined;
  }
}

const NEW = {
  ConditionExpression: 'attribute_not_exists(#key)',
  ExpressionAttributeNames: { '#key': 'key' },
};
