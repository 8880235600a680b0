/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** What an item consists of, by the names of the schema's properties. */
export type Fields = { readonly [name: string]: Json };

/** An item of a collection as it is stored. */
export interface Item {
  /** Sorts by the time of creation. */
  readonly id: string;
  readonly fields: Fields;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Who created it: a keyed hash of the visitor's id; absent if that is not known. */
  readonly author?: string;
  /** Whether visitors see it: false while it waits for the owner's approval. */
  readonly shown: boolean;
  /** 1 at first, and one more with each change. */
  readonly revision: number;
  /** When it ends, in Unix milliseconds. */
  readonly endsAt?: number;
  /** The value as which it is tallied: none if no rule tallied it when it was written. */
  readonly tally?: string;
}

/** An item that is to be created. */
export interface NewItem extends Omit<Item, 'updatedAt' | 'revision'> {
  /** Size of the fields as JSON in UTF-8. */
  readonly bytes: number;
  /** What no other item of the collection may have: a value in its normal form, or the visitor. */
  readonly unique?: string;
  /** The collection's `most`. */
  readonly most?: number;
  /** Whether `id` comes from an `Idempotency-Key`, so that the same item may be sent again. */
  readonly repeatable?: true;
}

/**
 * Why an item was not created: the collection has its `most` items, another item has its unique value, the site has as many items or
 * bytes as it may have, or as many were created today as may be, or a request with the same `Idempotency-Key` is under way.
 */
export type Refusal = 'full' | 'duplicate' | 'site_full' | 'too_many_today' | 'in_progress';

/** What is known of a collection without reading its items. */
export interface CollectionState {
  /** How many items it has, with those that wait for approval. */
  readonly items: number;
  /** How many of them wait for approval. */
  readonly waiting: number;
  /** Changes with every change of an item that a reader could see. */
  readonly revision: number;
  /** How many items have each value of the field that is tallied. */
  readonly tally: Readonly<Record<string, number>>;
}

export interface ListRequest {
  /** 1 to 100. */
  readonly limit: number;
  /** The id of the previous page's last item. */
  readonly before?: string | undefined;
  /** Only items of this author. */
  readonly author?: string | undefined;
  /** Whether items that wait for approval are left out. */
  readonly shownOnly: boolean;
}

export interface ItemPage {
  /** Newest first. */
  readonly items: readonly Item[];
  /** `before` of the next page; absent on the last one. */
  readonly next?: string;
}

/** The data of one site. `lambda/stored/data/` has it in DynamoDB, and `memory-store.ts` for trials. */
export interface DataStore {
  state(collection: string): Promise<CollectionState>;
  /** Returns a page, which may be shorter than its limit: it ends after 1 MB, too. */
  list(collection: string, request: ListRequest): Promise<ItemPage>;
  get(collection: string, id: string): Promise<Item | undefined>;
  /** @returns the item, or the earlier one of the same `repeatable` id; or why there is none */
  create(collection: string, item: NewItem): Promise<Item | Refusal>;
  /**
   * Replaces the fields of an item, if it has not changed since it was read.
   * @param change `tally` is the value as which the item is tallied before and after the change
   * @returns undefined if it has changed, or is gone; `site_full` if it grows and the site has as many bytes as it may have
   */
  update(
    collection: string,
    before: Item,
    change: {
      readonly fields: Fields;
      readonly bytes: number;
      readonly shown: boolean;
      readonly at: number;
      readonly tally?: { readonly from: string | undefined; readonly to: string | undefined };
    },
  ): Promise<Item | 'site_full' | undefined>;
  /** @returns false if the item was gone */
  remove(collection: string, item: Item): Promise<boolean>;
}
