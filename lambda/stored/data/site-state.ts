import { dayOf } from '../../platform/clock.ts';
import { ItemUpdate } from '../../platform/item-update.ts';
import { newId } from '../../platform/new-id.ts';
import type { CollectionState } from '../../sites/data/store.ts';
import { STATE_KEY } from './keys.ts';
import type { Attributes, SiteTable } from './site-table.ts';

/** The bounds of a site. Changes that are under way at the same time may exceed the bytes. */
export interface DataBounds {
  readonly items: number;
  readonly bytes: number;
  /** In a UTC day. */
  readonly creationsPerDay: number;
}

/** How much a site has, and what changes it. */
export class SiteState {
  readonly #attributes: Attributes;

  constructor(attributes: Attributes = {}) {
    this.#attributes = attributes;
  }

  get items(): number {
    return this.#number('items');
  }

  get bytes(): number {
    return this.#number('bytes');
  }

  /** Reports if the counters fill what every write of the state may cost: each rule that ever was in force leaves some. */
  get isOvergrown(): boolean {
    const counters = Object.keys(this.#attributes).filter((name) => !name.startsWith(PREFIX));
    return counters.reduce((sum, name) => sum + Buffer.byteLength(name), 0) > MOST_COUNTER_BYTES;
  }

  /** Reports if the state gets a counter more with a change. */
  addsCounter({ collection, to }: Announcement): boolean {
    return to !== undefined && this.#attributes[tallyName(collection, to)] === undefined;
  }

  /** The collections that have items. */
  get collections(): string[] {
    return Object.entries(this.#attributes).flatMap(([name, count]) =>
      name.startsWith(OF_COLLECTION) && Number(count) > 0 ? [name.slice(OF_COLLECTION.length)] : [],
    );
  }

  createdOn(day: string): number {
    return this.#number(`${DAY}${day}`);
  }

  itemsOf(collection: string): number {
    return this.#number(OF_COLLECTION + collection);
  }

  collection(name: string): CollectionState {
    const prefix = tallyName(name, '');
    const tally = Object.entries(this.#attributes).flatMap(([attribute, count]) =>
      attribute.startsWith(prefix) && Number(count) > 0
        ? [[attribute.slice(prefix.length), Number(count)] as const]
        : [],
    );
    return {
      items: this.itemsOf(name),
      waiting: this.#number(`waiting:${name}`),
      revision: this.#number(`revision:${name}`),
      tally: Object.fromEntries(tally),
    };
  }

  /** Returns the announced change of an item. */
  announced(item: Pick<Announcement, 'collection' | 'id'>): Announcement | undefined {
    const name = nameOf(item);
    return parseAnnouncement(name, this.#attributes[name]);
  }

  has(change: Announcement): boolean {
    return this.#attributes[nameOf(change)] === textOf(change);
  }

  /** Returns the changes that nobody is going to settle. */
  abandoned(now: number): Announcement[] {
    return Object.entries(this.#attributes).flatMap(([name, value]) => {
      const change = parseAnnouncement(name, value);
      return change && isAbandoned(change, now) ? [change] : [];
    });
  }

  /** Returns the attributes that count the creations of earlier days. */
  pastDays(now: number): string[] {
    const today = `${DAY}${dayOf(now)}`;
    return Object.keys(this.#attributes).filter((name) => name.startsWith(DAY) && name !== today);
  }

  #number(name: string): number {
    const value = this.#attributes[name];
    return typeof value === 'number' ? value : 0;
  }
}

/**
 * As much as a declaration has. DynamoDB stores at most 400 KB in an item, of which what is under way at the same time needs some, and a
 * partition takes 1,000 write units a second: a change writes the state twice.
 */
const MOST_COUNTER_BYTES = 32_768;

const DAY = 'day:';
const OF_COLLECTION = 'items:';
const tallyName = (collection: string, value: string) => `tally:${collection}:${value}`;

/** Writes the state of a site. Each change of an item is announced here first, and settled or undone last. */
export class SiteStates {
  readonly #table: SiteTable;
  readonly #bounds: DataBounds;

  constructor(table: SiteTable, bounds: DataBounds) {
    this.#table = table;
    this.#bounds = bounds;
  }

  async read(): Promise<SiteState> {
    return new SiteState(await this.#table.get(STATE_KEY));
  }

  /**
   * Announces a change of an item. One that creates it is counted.
   * @param most items of the collection
   * @returns the state after it, or undefined if the item has another announcement, or there is no room
   */
  async announce(change: Announcement, most?: number): Promise<SiteState | undefined> {
    const update = new ItemUpdate()
      .set(nameOf(change), textOf(change))
      .require(nameOf(change), 'attribute_not_exists(%)');
    if (change.bytes > 0) update.require('bytes', BELOW, this.#bounds.bytes - change.bytes + 1);
    if (change.kind === 'create') {
      const ofCollection = OF_COLLECTION + change.collection;
      const today = DAY + dayOf(change.at);
      for (const counter of ['items', ofCollection, today]) update.add(counter, 1);
      update.add('bytes', change.bytes);
      update.require('items', BELOW, this.#bounds.items);
      update.require(today, BELOW, this.#bounds.creationsPerDay);
      if (most !== undefined) update.require(ofCollection, BELOW, most);
    }
    return this.#write(update);
  }

  /** Counts a change that was made, unless that was done before. @returns the state after it */
  async settle(change: Announcement, pastDays: readonly string[] = []): Promise<SiteState | undefined> {
    const { kind, collection, bytes, waiting = 0, from, to } = change;
    const update = ending(change).add(`revision:${collection}`, 1);
    for (const day of pastDays) update.remove(day);
    if (kind === 'delete') update.add('items', -1).add(OF_COLLECTION + collection, -1);
    if (kind !== 'create') update.add('bytes', bytes);
    update.add(`waiting:${collection}`, waiting);
    if (from !== to) {
      if (from !== undefined) update.add(tallyName(collection, from), -1);
      if (to !== undefined) update.add(tallyName(collection, to), 1);
    }
    return this.#write(update);
  }

  /** Takes back a change that was not made, unless that was done before. */
  async undo(change: Announcement): Promise<void> {
    const { kind, collection, bytes, at } = change;
    const update = ending(change);
    if (kind === 'create') {
      for (const counter of ['items', OF_COLLECTION + collection, DAY + dayOf(at)]) update.add(counter, -1);
      // Readers may have got the count.
      update.add('bytes', -bytes).add(`revision:${collection}`, 1);
    }
    await this.#write(update);
  }

  async #write({ input }: ItemUpdate): Promise<SiteState | undefined> {
    const attributes = await this.#table.update(STATE_KEY, input);
    return attributes && new SiteState(attributes);
  }
}

const BELOW = '(attribute_not_exists(%) OR % < ?)';

/** Returns the update that removes an announcement, if it is there. */
const ending = (change: Announcement) =>
  new ItemUpdate().remove(nameOf(change)).require(nameOf(change), '% = ?', textOf(change));

/** A change of an item that is under way. The state of its site has it as an attribute. */
export interface Announcement {
  readonly kind: 'create' | 'update' | 'delete';
  readonly collection: string;
  readonly id: string;
  /** When it began, in Unix milliseconds. */
  readonly at: number;
  /** Identifies the call. */
  readonly by: string;
  /** By how many bytes the site grows. */
  readonly bytes: number;
  /** How many items more wait for approval after it. */
  readonly waiting?: number | undefined;
  /** The value that is tallied before and after the change. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The revision of the item that is changed or deleted. */
  readonly revision?: number | undefined;
}

/** An announcement that is older has been abandoned. */
export const ABANDONED_MS = 60_000;

const PREFIX = 'open:';

export function announcement(change: Omit<Announcement, 'by'>): Announcement {
  return { ...change, by: newId(8) };
}

export const isAbandoned = ({ at }: Announcement, now: number): boolean => at <= now - ABANDONED_MS;

/** Returns the name of the attribute, of which an item has one at a time. */
const nameOf = ({ collection, id }: Pick<Announcement, 'collection' | 'id'>): string => `${PREFIX}${collection}#${id}`;

/** Returns the value of the attribute, which no other announcement has. Short: every write of the state pays for its size. */
const textOf = ({ kind, at, by, bytes, revision, waiting, from, to }: Announcement): string =>
  JSON.stringify({ kind, at, by, bytes, revision, waiting: waiting || undefined, from, to });

/** Returns the announcement of an attribute; undefined if the attribute is another one. */
function parseAnnouncement(name: string, value: unknown): Announcement | undefined {
  const [collection, id] = name.slice(PREFIX.length).split('#');
  if (!name.startsWith(PREFIX) || !collection || !id || typeof value !== 'string') return undefined;
  return { collection, id, ...(JSON.parse(value) as Omit<Announcement, 'collection' | 'id'>) };
}
