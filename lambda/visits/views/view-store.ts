import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Table, unlessConditionFails } from '../../platform/dynamodb.ts';
import { ItemUpdate } from '../../platform/item-update.ts';
import type { CircuitBreaker } from '../../platform/unreachable.ts';
import {
  CAPACITY,
  type DayKey,
  type DayViews,
  fittingLevel,
  hashBytes,
  isKept,
  LISTS,
  type ListName,
  PREFIX,
  saltOf,
  toDayViews,
  viewsExpireAt,
} from '../../stored/views.ts';
import type { Batch } from './batch.ts';
import { type NamesPlan, planNames } from './view.ts';

interface ViewStoreOptions {
  readonly db: DynamoDBDocumentClient;
  /** The table of views. */
  readonly table: string;
  /** A circuit of its own: while this table cannot be reached, pages are still served. */
  readonly circuit: Pick<CircuitBreaker, 'call'>;
}

/** Reads and writes the views of pages. */
export class ViewStore {
  readonly #options: ViewStoreOptions;
  readonly #table: Table;

  constructor(options: ViewStoreOptions) {
    this.#options = options;
    this.#table = new Table(options.db, options.table);
  }

  salt(day: string): Promise<Uint8Array> {
    const { db, table, circuit } = this.#options;
    return circuit.call(() => saltOf(db, table, day));
  }

  async read(key: DayKey, consistent = false): Promise<DayViews> {
    return toDayViews(await this.#options.circuit.call(() => this.#table.get({ ...key }, consistent)));
  }

  /** Adds a batch and returns the views of the day, or undefined if that was done before or the names have changed. */
  add(key: DayKey, batch: Batch, known: DayViews, plans: ListPlans, name: WriteName): Promise<DayViews | undefined> {
    return this.#update(key, batchUpdate(key, batch, known, plans, name));
  }

  /** Makes the sample of visitors smaller if it is too large, and returns the views of the day. */
  async shrink(key: DayKey, known: DayViews): Promise<DayViews> {
    const update = raiseLevel(known);
    return update ? ((await this.#update(key, update)) ?? this.read(key, true)) : known;
  }

  async #update(key: DayKey, { input }: ItemUpdate): Promise<DayViews | undefined> {
    const write = () => unlessConditionFails(this.#table.update({ ...key }, { ...input, ReturnValues: 'ALL_NEW' }));
    const written = await this.#options.circuit.call(write);
    return written && toDayViews(written);
  }
}

/** How many names an address may introduce to the lists of a page and day. */
const INTRODUCED_BY_ADDRESS = 12;

/** How many names may be introduced to them in all, also those that replace others: each can add an attribute for its address. */
const INTRODUCED = 300;

/** The most hashes that a write finds when it adds others: many instances may add some before one of them removes half. */
const MOST_STORED = 4 * CAPACITY;

const LIST_NAMES = Object.keys(LISTS) as ListName[];

/** The names that this instance has passed over so far, by list. */
export type PassedOver = Readonly<Record<ListName, Map<string, number>>>;

type ListPlans = Readonly<Record<ListName, NamesPlan>>;

/** Returns what a write of a batch does to the lists. @param mayIntroduce whether it may change which names they have */
export function planLists(
  { lists }: Pick<Batch, 'lists'>,
  known: Pick<DayViews, 'lists' | 'introduced' | 'names'>,
  passedOver: PassedOver,
  mayIntroduce: boolean,
): ListPlans {
  const spent = new Map<string, number>();
  let total = known.names;
  const left = (by: string) => {
    if (!mayIntroduce || total >= INTRODUCED) return 0;
    const used = (known.introduced.get(by) ?? 0) + (spent.get(by) ?? 0);
    return Math.min(INTRODUCED_BY_ADDRESS - used, INTRODUCED - total);
  };
  const plans = LIST_NAMES.map((list): [ListName, NamesPlan] => {
    const { room } = LISTS[list];
    const plan = planNames(lists[list], known.lists[list], passedOver[list], { room, left });
    for (const by of plan.introducers) spent.set(by, (spent.get(by) ?? 0) + 1);
    total += plan.introducers.length;
    return [list, plan];
  });
  return Object.fromEntries(plans) as Record<ListName, NamesPlan>;
}

/** Who writes: the attribute that its instance shares with few others, and a name that no other write has. */
export interface WriteName {
  readonly slot: string;
  readonly name: string;
}

/**
 * Returns the write that adds a batch to the item of its day. A repeated one fails, and so does one that changes names after another instance
 * changed them.
 */
function batchUpdate(
  key: DayKey,
  batch: Batch,
  known: DayViews,
  plans: ListPlans,
  { slot, name }: WriteName,
): ItemUpdate {
  const writer = PREFIX.write + slot;
  const update = new ItemUpdate()
    .set('expiresAt', viewsExpireAt(key.day))
    .set(writer, name)
    .require(writer, '(attribute_not_exists(%) OR % <> ?)', name)
    .add('views', batch.views)
    .add('bots', batch.bots);
  for (const [status, views] of batch.statuses) update.add(PREFIX.status + status, views);
  addVisitors(update, batch, known);
  changeNames(update, known, plans);
  return update;
}

/** Adds the visitors that belong to the sample. While it is too large, none: `raiseLevel` comes first. */
function addVisitors(update: ItemUpdate, batch: Batch, { visitors: known, level }: DayViews): void {
  const visitors = [...batch.visitors].filter((hash) => isKept(hash, level) && !known.has(hash));
  if (visitors.length === 0 || known.size > CAPACITY) return;
  update.add('visitors', new Set(visitors.map(hashBytes)));
  update.require('visitors', '(attribute_not_exists(%) OR size(%) < ?)', MOST_STORED);
}

/** Returns the write that removes hashes from a sample that is too large, or undefined if it is not. */
function raiseLevel(known: DayViews): ItemUpdate | undefined {
  if (known.visitors.size <= CAPACITY) return undefined;
  const level = fittingLevel(known.visitors, known.level);
  const gone = [...known.visitors].filter((hash) => !isKept(hash, level));
  const update = new ItemUpdate().set('level', level).delete('visitors', new Set(gone.map(hashBytes)));
  requireNumber(update, 'level', known.level);
  return update;
}

/** Requires a number that is as it was read: 0 if there was none. */
function requireNumber(update: ItemUpdate, attribute: string, known: number): void {
  if (known === 0) update.require(attribute, 'attribute_not_exists(%)');
  else update.require(attribute, '% = ?', known);
}

function changeNames(update: ItemUpdate, known: DayViews, plans: ListPlans): void {
  const introducers = LIST_NAMES.flatMap((list) => plans[list].introducers);
  if (introducers.length > 0) {
    update.add('names', introducers.length);
    requireNumber(update, 'names', known.names);
  }
  for (const [by, { length }] of Map.groupBy(introducers, (one) => one)) update.add(PREFIX.introduced + by, length);
  for (const list of LIST_NAMES) {
    const { prefix } = LISTS[list];
    const { added, evicted } = plans[list];
    for (const [name, views] of added) update.add(prefix + name, views);
    if (evicted === undefined) continue;
    update.remove(prefix + evicted.name);
    update.require(prefix + evicted.name, '% = ?', evicted.views);
  }
}
