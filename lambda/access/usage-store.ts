import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { OperationName } from '../contract/operations.ts';
import { usdOf } from '../contract/prices.ts';
import type { Period, Usage } from '../contract/queries.ts';
import { dayOf } from '../platform/clock.ts';
import { Table } from '../platform/dynamodb.ts';

/** Usage of a key or token. Addresses are personal data and not recorded. */
interface AmountsEntry {
  /** `Caller.id`. */
  readonly caller: string;
  readonly operation: OperationName;
  /** Unix milliseconds. */
  readonly at: number;
  readonly tokens?: number;
  readonly files?: number;
  readonly bytes?: number;
  /** Known cost of model calls in micro-dollars. */
  readonly cost?: number;
  /** Number of generations with a cost that is not known. */
  readonly unpriced?: number;
}

/** Usage by a call of the API. */
export interface UsageEntry extends AmountsEntry {
  readonly status: number;
  readonly ms: number;
}

/** The calls of one operation on one day (UTC, `YYYY-MM-DD`). */
export interface DailyUsage extends Usage {
  readonly day: string;
  readonly operation: string;
}

const KEPT_MONTHS = 13;
/** Every item has all counters, whether `record` or `recordAmounts` creates it. */
const NOTHING = { calls: 0, tokens: 0, files: 0, bytes: 0, cost: 0, unpriced: 0, ms: 0 };
const STATUS = /^status(\d+)$/;

/** The table of usage: an item with counters per caller, day and operation. */
export class UsageStore {
  readonly #table: Table;

  constructor(db: DynamoDBDocumentClient, table: string) {
    this.#table = new Table(db, table);
  }

  /** Adds a call with its usage. */
  record({ status, ...entry }: UsageEntry): Promise<void> {
    return this.#add({ calls: 1, [`status${status}`]: 1, ...entry });
  }

  /** Adds usage that was caused by a call, but ended after it. */
  recordAmounts(entry: AmountsEntry): Promise<void> {
    return this.#add(entry);
  }

  /** Adds counters atomically. An SDK retry after a lost response counts twice, since usage is not billed. */
  async #add<Entry extends AmountsEntry>({ caller, operation, at, ...counters }: Entry): Promise<void> {
    const added = { ...NOTHING, ...counters };
    const names = Object.keys(added);
    await this.#table.update(
      { caller, dayOperation: `${dayOf(at)}#${operation}` },
      {
        UpdateExpression: `ADD ${names.map((name) => `#${name} :${name}`)} SET expiresAt = :expiresAt`,
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: {
          ...Object.fromEntries(Object.entries(added).map(([name, value]) => [`:${name}`, value])),
          ':expiresAt': expiryOf(at),
        },
      },
    );
  }

  /** Returns the usage of `caller`, sorted by day and operation, with an eventually consistent query. */
  async read(caller: string, { from, to }: Period): Promise<DailyUsage[]> {
    const usage: DailyUsage[] = [];
    const pages = paginateQuery(
      { client: this.#table.db },
      {
        TableName: this.#table.name,
        KeyConditionExpression: 'caller = :caller AND dayOperation BETWEEN :from AND :to',
        // `$` is the successor of `#`: the range ends after the last day's operations.
        ExpressionAttributeValues: { ':caller': caller, ':from': `${from}#`, ':to': `${to}$` },
      },
    );
    for await (const { Items = [] } of pages) usage.push(...Items.map(toUsage));
    return usage;
  }
}

/** Returns when DynamoDB may delete a day's items, in Unix seconds. */
function expiryOf(at: number): number {
  const day = new Date(dayOf(at));
  return day.setUTCMonth(day.getUTCMonth() + KEPT_MONTHS) / 1000;
}

/** Returns the usage of an item; those of earlier versions have no cost. */
function toUsage({
  dayOperation,
  calls,
  tokens,
  files,
  bytes,
  cost = 0,
  unpriced = 0,
  ms,
  ...rest
}: Record<string, unknown>) {
  const [day, operation] = String(dayOperation).split('#');
  const statuses = Object.entries(rest).flatMap(([name, count]) => {
    const status = STATUS.exec(name)?.[1];
    return status === undefined ? [] : [[status, count]];
  });
  return {
    day,
    operation,
    calls,
    statuses: Object.fromEntries(statuses),
    tokens,
    files,
    bytes,
    cost: { usd: usdOf(cost as number), unpriced },
    ms,
  } as DailyUsage;
}
