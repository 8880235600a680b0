import { dayOf } from '../../platform/clock.ts';
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
    const expression = new Expression();
    const open = expression.name(nameOf(change));
    expression.set(open, textOf(change));
    expression.require(`attribute_not_exists(${open})`);
    if (change.bytes > 0) expression.requireBelow(expression.name('bytes'), this.#bounds.bytes - change.bytes + 1);
    if (change.kind === 'create') {
      const items = expression.name('items');
      const ofCollection = expression.name(OF_COLLECTION + change.collection);
      const today = expression.name(DAY + dayOf(change.at));
      for (const counter of [items, ofCollection, today]) expression.add(counter, 1);
      expression.add(expression.name('bytes'), change.bytes);
      expression.requireBelow(items, this.#bounds.items);
      expression.requireBelow(today, this.#bounds.creationsPerDay);
      if (most !== undefined) expression.requireBelow(ofCollection, most);
    }
    return this.#write(expression);
  }

  /** Counts a change that was made, unless that was done before. @returns the state after it */
  async settle(change: Announcement, pastDays: readonly string[] = []): Promise<SiteState | undefined> {
    const { kind, collection, bytes, waiting, from, to } = change;
    const expression = this.#ending(change);
    for (const day of pastDays) expression.remove(expression.name(day));
    expression.add(expression.name(`revision:${collection}`), 1);
    if (kind === 'delete') this.#addItems(expression, collection, -1);
    if (kind !== 'create' && bytes !== 0) expression.add(expression.name('bytes'), bytes);
    if (waiting) expression.add(expression.name(`waiting:${collection}`), waiting);
    if (from !== to) {
      if (from !== undefined) expression.add(expression.name(tallyName(collection, from)), -1);
      if (to !== undefined) expression.add(expression.name(tallyName(collection, to)), 1);
    }
    return this.#write(expression);
  }

  /** Takes back a change that was not made, unless that was done before. */
  async undo(change: Announcement): Promise<void> {
    const { kind, collection, bytes, at } = change;
    const expression = this.#ending(change);
    if (kind === 'create') {
      this.#addItems(expression, collection, -1);
      expression.add(expression.name('bytes'), -bytes);
      expression.add(expression.name(DAY + dayOf(at)), -1);
      // Readers may have got the count.
      expression.add(expression.name(`revision:${collection}`), 1);
    }
    await this.#write(expression);
  }

  #ending(change: Announcement): Expression {
    const expression = new Expression();
    const open = expression.name(nameOf(change));
    expression.remove(open);
    expression.require(`${open} = ${expression.value(textOf(change))}`);
    return expression;
  }

  #addItems(expression: Expression, collection: string, count: number): void {
    expression.add(expression.name('items'), count);
    expression.add(expression.name(OF_COLLECTION + collection), count);
  }

  async #write(expression: Expression): Promise<SiteState | undefined> {
    const attributes = await this.#table.update(STATE_KEY, expression.input);
    return attributes && new SiteState(attributes);
  }
}

/** The parts of an update, and its condition. */
class Expression {
  readonly #names: Record<string, string> = {};
  readonly #values: Record<string, unknown> = {};
  readonly #set: string[] = [];
  readonly #remove: string[] = [];
  readonly #add: string[] = [];
  readonly #conditions: string[] = [];

  name(attribute: string): string {
    const known = Object.entries(this.#names).find(([, name]) => name === attribute)?.[0];
    const placeholder = known ?? `#n${Object.keys(this.#names).length}`;
    this.#names[placeholder] = attribute;
    return placeholder;
  }

  value(value: unknown): string {
    const placeholder = `:v${Object.keys(this.#values).length}`;
    this.#values[placeholder] = value;
    return placeholder;
  }

  set(name: string, value: unknown): void {
    this.#set.push(`${name} = ${this.value(value)}`);
  }

  remove(name: string): void {
    this.#remove.push(name);
  }

  add(name: string, amount: number): void {
    this.#add.push(`${name} ${this.value(amount)}`);
  }

  require(condition: string): void {
    this.#conditions.push(condition);
  }

  requireBelow(name: string, most: number): void {
    this.require(`(attribute_not_exists(${name}) OR ${name} < ${this.value(most)})`);
  }

  get input() {
    const clause = (keyword: string, parts: readonly string[]) =>
      parts.length > 0 ? [`${keyword} ${parts.join(', ')}`] : [];
    return {
      UpdateExpression: [
        ...clause('SET', this.#set),
        ...clause('REMOVE', this.#remove),
        ...clause('ADD', this.#add),
      ].join(' '),
      ConditionExpression: this.#conditions.join(' AND '),
      ExpressionAttributeNames: this.#names,
      ExpressionAttributeValues: this.#values,
    };
  }
}

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
