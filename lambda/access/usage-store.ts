import { type DynamoDBDocumentClient, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { OperationName } from '../contract/operations.ts';
import type { Period, Usage } from '../contract/usage.ts';

/** What somebody with a key or a token used or made. Addresses are not recorded: they are personal data. */
export interface AmountsEntry {
  /** `Caller.id`. */
  readonly caller: string;
  readonly operation: OperationName;
  /** Unix milliseconds. */
  readonly at: number;
  readonly tokens?: number;
  readonly files?: number;
  readonly bytes?: number;
}

/** One call of the API, with what it made. */
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
/** An item has all of them, whatever comes first: a call, or what an earlier call led to. */
const NOTHING = { calls: 0, tokens: 0, files: 0, bytes: 0, ms: 0 };
const STATUS = /^status(\d+)$/;

/** The table of usage: one item per caller, day and operation, with counters that only grow. */
export class UsageStore {
  readonly #db: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(db: DynamoDBDocumentClient, table: string) {
    this.#db = db;
    this.#table = table;
  }

  /** Adds a call. */
  record({ status, ...entry }: UsageEntry): Promise<void> {
    return this.#add({ calls: 1, [`status${status}`]: 1, ...entry });
  }

  /** Adds what became of a call that is counted by itself. */
  recordAmounts(entry: AmountsEntry): Promise<void> {
    return this.#add(entry);
  }

  /** One atomic write. A retry of the SDK after a lost answer may count twice: these are no bills. */
  async #add<Entry extends AmountsEntry>({ caller, operation, at, ...counters }: Entry): Promise<void> {
    const added = { ...NOTHING, ...counters };
    const names = Object.keys(added);
    await this.#db.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: { caller, dayOperation: `${dayOf(at)}#${operation}` },
        UpdateExpression: `ADD ${names.map((name) => `#${name} :${name}`)} SET expiresAt = :expiresAt`,
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: {
          ...Object.fromEntries(Object.entries(added).map(([name, value]) => [`:${name}`, value])),
          ':expiresAt': expiryOf(at),
        },
      }),
    );
  }

  /** What `caller` did, by day and operation in this order; one eventually consistent query, of as many pages as it takes. */
  async read(caller: string, { from, to }: Period): Promise<DailyUsage[]> {
    const usage: DailyUsage[] = [];
    const pages = paginateQuery(
      { client: this.#db },
      {
        TableName: this.#table,
        KeyConditionExpression: 'caller = :caller AND dayOperation BETWEEN :from AND :to',
        // `$` comes right after `#`: every operation of the last day is before it.
        ExpressionAttributeValues: { ':caller': caller, ':from': `${from}#`, ':to': `${to}$` },
      },
    );
    for await (const { Items = [] } of pages) usage.push(...Items.map(toUsage));
    return usage;
  }
}

/** The day of a time (Unix milliseconds) in UTC, `YYYY-MM-DD`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** When DynamoDB may delete the item of a day, in Unix seconds: the same for every call of that day. */
function expiryOf(at: number): number {
  const day = new Date(dayOf(at));
  return day.setUTCMonth(day.getUTCMonth() + KEPT_MONTHS) / 1000;
}

function toUsage({ dayOperation, calls, tokens, files, bytes, ms, ...rest }: Record<string, unknown>) {
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
    ms,
  } as DailyUsage;
}
