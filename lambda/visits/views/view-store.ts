import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unlessConditionFails } from '../../platform/dynamodb.ts';
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

  constructor(options: ViewStoreOptions) {
    this.#options = options;
  }

  salt(day: string): Promise<Uint8Array> {
    const { db, table, circuit } = this.#options;
    return circuit.call(() => saltOf(db, table, day));
  }

  async read(key: DayKey, consistent = false): Promise<DayViews> {
    const { db, table, circuit } = this.#options;
    const get = new GetCommand({ TableName: table, Key: key, ConsistentRead: consistent });
    return toDayViews((await circuit.call(() => db.send(get))).Item);
  }

  /** Adds a batch and returns the views of the day, or undefined if that was done before or the names have changed. */
  add(key: DayKey, batch: Batch, known: DayViews, plans: ListPlans, name: WriteName): Promise<DayViews | undefined> {
    return this.#update(batchUpdate(this.#options.table, key, batch, known, plans, name));
  }

  /** Makes the sample of visitors smaller if it is too large, and returns the views of the day. */
  async shrink(key: DayKey, known: DayViews): Promise<DayViews> {
    const update = raiseLevel(this.#options.table, key, known);
    return update ? ((await this.#update(update)) ?? this.read(key, true)) : known;
  }

  async #update(update: UpdateCommand): Promise<DayViews | undefined> {
    const { db, circuit } = this.#options;
    const output = await circuit.call(() => unlessConditionFails(db.send(update)));
    return output && toDayViews(output.Attributes);
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
  table: string,
  key: DayKey,
  batch: Batch,
  known: DayViews,
  plans: ListPlans,
  { slot, name }: WriteName,
): UpdateCommand {
  const expression = new Expression();
  expression.set('expiresAt', viewsExpireAt(key.day));
  expression.set(PREFIX.write + slot, name);
  expression.require(`(attribute_not_exists(%) OR % <> ${expression.value(name)})`, PREFIX.write + slot);
  expression.add('views', batch.views);
  expression.add('bots', batch.bots);
  for (const [status, views] of batch.statuses) expression.add(PREFIX.status + status, views);
  addVisitors(expression, batch, known);
  changeNames(expression, known, plans);
  return new UpdateCommand({ TableName: table, Key: key, ...expression.input(), ReturnValues: 'ALL_NEW' });
}

/** Adds the visitors that belong to the sample. While it is too large, none: `raiseLevel` comes first. */
function addVisitors(expression: Expression, batch: Batch, { visitors: known, level }: DayViews): void {
  const visitors = [...batch.visitors].filter((hash) => isKept(hash, level) && !known.has(hash));
  if (visitors.length === 0 || known.size > CAPACITY) return;
  expression.add('visitors', new Set(visitors.map(hashBytes)));
  const most = expression.value(MOST_STORED);
  expression.require(`(attribute_not_exists(%) OR size(%) < ${most})`, 'visitors');
}

/** Returns the write that removes hashes from a sample that is too large, or undefined if it is not. */
function raiseLevel(table: string, key: DayKey, known: DayViews): UpdateCommand | undefined {
  if (known.visitors.size <= CAPACITY) return undefined;
  const level = fittingLevel(known.visitors, known.level);
  const gone = [...known.visitors].filter((hash) => !isKept(hash, level));
  return new UpdateCommand({
    TableName: table,
    Key: key,
    UpdateExpression: 'SET #level = :level DELETE visitors :gone',
    ConditionExpression: known.level === 0 ? 'attribute_not_exists(#level)' : '#level = :known',
    ExpressionAttributeNames: { '#level': 'level' },
    ExpressionAttributeValues: {
      ':level': level,
      ':gone': new Set(gone.map(hashBytes)),
      ...(known.level === 0 ? {} : { ':known': known.level }),
    },
    ReturnValues: 'ALL_NEW',
  });
}

function changeNames(expression: Expression, known: DayViews, plans: ListPlans): void {
  const introducers = LIST_NAMES.flatMap((list) => plans[list].introducers);
  if (introducers.length > 0) {
    expression.add('names', introducers.length);
    const condition = known.names === 0 ? 'attribute_not_exists(%)' : `% = ${expression.value(known.names)}`;
    expression.require(condition, 'names');
  }
  for (const [by, { length }] of Map.groupBy(introducers, (one) => one)) expression.add(PREFIX.introduced + by, length);
  for (const list of LIST_NAMES) {
    const { prefix } = LISTS[list];
    const { added, evicted } = plans[list];
    for (const [name, views] of added) expression.add(prefix + name, views);
    if (evicted === undefined) continue;
    expression.remove(prefix + evicted.name);
    expression.require(`% = ${expression.value(evicted.views)}`, prefix + evicted.name);
  }
}

/** The parts of an update, with aliases for its names and values. */
class Expression {
  readonly #names = new Map<string, string>();
  readonly #values: Record<string, unknown> = {};
  readonly #actions = { SET: [] as string[], ADD: [] as string[], REMOVE: [] as string[] };
  readonly #conditions: string[] = [];

  /** Returns the alias of a value. */
  value(value: unknown): string {
    const alias = `:${Object.keys(this.#values).length}`;
    this.#values[alias] = value;
    return alias;
  }

  set(name: string, value: unknown): void {
    this.#actions.SET.push(`${this.#name(name)} = ${this.value(value)}`);
  }

  add(name: string, value: number | ReadonlySet<Uint8Array>): void {
    if (value !== 0) this.#actions.ADD.push(`${this.#name(name)} ${this.value(value)}`);
  }

  remove(name: string): void {
    this.#actions.REMOVE.push(this.#name(name));
  }

  /** @param condition with `%` for the attribute */
  require(condition: string, name: string): void {
    this.#conditions.push(condition.replaceAll('%', this.#name(name)));
  }

  input() {
    const actions = Object.entries(this.#actions).filter(([, list]) => list.length > 0);
    return {
      UpdateExpression: actions.map(([verb, list]) => `${verb} ${list.join(', ')}`).join(' '),
      ConditionExpression: this.#conditions.join(' AND '),
      ExpressionAttributeNames: Object.fromEntries([...this.#names].map(([name, alias]) => [alias, name])),
      ExpressionAttributeValues: this.#values,
    };
  }

  #name(name: string): string {
    const alias = this.#names.get(name) ?? `#${this.#names.size}`;
    this.#names.set(name, alias);
    return alias;
  }
}
