import type { Account, Table } from './account.ts';
import type { MetricName, PutMetric } from './cloudwatch/metrics.ts';
import type { Parameters, Result } from './dynalite.ts';

/** Makes an error of the DynamoDB API. */
type ErrorOf = (type: string, message: string, more: object) => Error;

interface ItemOperation {
  /** Returns the parameters as the operation expects them. @throws Error if they are invalid */
  check(parameters: Parameters): Parameters;
  run(checked: Parameters): Promise<Result>;
}

/** The units that an operation consumed of one table. */
interface Capacity {
  readonly TableName: string;
  readonly CapacityUnits: number;
}

/** Runs operations on items within the maxima of their tables. */
export class Metering {
  readonly #account: Account;
  readonly #errorOf: ErrorOf;
  readonly #throughput: Throughput;

  constructor(account: Account, errorOf: ErrorOf, putMetric?: PutMetric, clock?: () => number) {
    this.#account = account;
    this.#errorOf = errorOf;
    this.#throughput = new Throughput(account.tables, putMetric, clock);
  }

  /** @throws Error if the parameters are invalid, if a maximum throttles the operation, or if it fails */
  async run(name: string, parameters: Parameters, operation: ItemOperation): Promise<Result> {
    const { ReturnConsumedCapacity: wanted = 'NONE' } = parameters;
    const ReturnConsumedCapacity = wanted === 'NONE' ? 'TOTAL' : wanted;
    const checked = operation.check({ ...parameters, ReturnConsumedCapacity });
    const accesses = accessesOf(name, checked).map((access) => this.#withoutLocalIndex(access));
    const exceeded = this.#throughput.take(accesses);
    if (exceeded) throw this.#throttled(exceeded);
    const { ConsumedCapacity, ...result } = await operation.run(checked);
    this.#settle(accesses, [ConsumedCapacity].flat() as Capacity[]);
    return { ...result, ...(wanted !== 'NONE' && { ConsumedCapacity }) };
  }

  /** A local index reads and writes from the maximum of its table. */
  #withoutLocalIndex(access: Access): Access {
    const { localIndexes = [] } = this.#account.tables.find(({ name }) => name === access.table) ?? {};
    const isLocal = localIndexes.some(({ IndexName }) => IndexName === access.index);
    return isLocal ? { ...access, index: undefined } : access;
  }

  /** Takes what an operation consumed from the maxima of its tables. */
  #settle(accesses: readonly Access[], capacities: readonly Capacity[]): void {
    for (const access of accesses) {
      const capacity = capacities.find(({ TableName }) => TableName === access.table);
      this.#throughput.settle(access, capacity?.CapacityUnits ?? access.items);
    }
  }

  /** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/throttling-diagnosing-workflow.html */
  #throttled({ kind, table, index }: Access): Error {
    const { region, accountId } = this.#account;
    const reason = `${index === undefined ? 'Table' : 'Index'}${kind}MaxOnDemandThroughputExceeded`;
    const path = index === undefined ? table : `${table}/index/${index}`;
    const resource = `arn:aws:dynamodb:${region}:${accountId}:table/${path}`;
    const message = 'Throughput exceeds the maximum OnDemandThroughput configured on table or index';
    return this.#errorOf('ThrottlingException', message, { throttlingReasons: [{ reason, resource }] });
  }
}

/** A table or an index that a call reads or writes. */
interface Access {
  readonly kind: 'Read' | 'Write';
  readonly table: string;
  readonly index?: string | undefined;
  /** A batch has several. */
  readonly items: number;
}

/** An eventually consistent read. A query without results consumes as much; dynalite says 0. */
const LEAST_UNITS = 0.5;

/** The request units that are left. */
interface Bucket {
  readonly unitsPerSecond: number;
  units: number;
  /** From `performance.now()`. */
  filledAt: number;
}

const isWrite = (operation: string) => /^(Put|Update|Delete|BatchWrite)Item$/.test(operation);

/** Returns what a call accesses. @param parameters as validated by dynalite */
function accessesOf(operation: string, { TableName, IndexName, RequestItems }: Parameters): readonly Access[] {
  const kind = isWrite(operation) ? 'Write' : 'Read';
  if (!(RequestItems instanceof Object))
    return [{ kind, table: String(TableName), index: IndexName as string | undefined, items: 1 }];
  return Object.entries(RequestItems as Record<string, { readonly Keys?: unknown[] }>).map(([table, requests]) => ({
    kind,
    table,
    items: [requests.Keys ?? requests].flat().length,
  }));
}

/**
 * The maximum throughput of tables, and of reads of their indexes: a token bucket for each, of the units of one second.
 * The bursts that AWS sometimes allows are not emulated, and a batch is throttled as a whole.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode-max-throughput.html
 */
export class Throughput {
  readonly #buckets = new Map<string, Bucket>();
  readonly #putMetric: PutMetric;
  readonly #clock: () => number;

  /** @param clock returns milliseconds */
  constructor(tables: readonly Table[], putMetric: PutMetric = () => {}, clock = () => performance.now()) {
    this.#putMetric = putMetric;
    this.#clock = clock;
    for (const { name, maxima = [] } of tables)
      for (const { kind, index, unitsPerSecond } of maxima) {
        const bucket = { unitsPerSecond, units: unitsPerSecond, filledAt: clock() };
        this.#buckets.set(keyOf({ kind, table: name, index }), bucket);
      }
  }

  /**
   * Takes a unit for each item of a call, or none if it is throttled.
   * @returns the access whose maximum throttles it
   */
  take(accesses: readonly Access[]): Access | undefined {
    const exceeded = accesses.find((access) => this.#unitsLeft(access) <= 0);
    if (exceeded) this.#putMetric(throttleEvents(exceeded), exceeded.items);
    else for (const access of accesses) this.#subtract(access, access.items);
    return exceeded;
  }

  /** Replaces the units that `take` took with those that the call consumed, which can exceed those that are left. */
  settle(access: Access, consumed: number): void {
    this.#subtract(access, Math.max(consumed, LEAST_UNITS) - access.items);
  }

  #subtract(access: Access, units: number): void {
    const bucket = this.#buckets.get(keyOf(access));
    if (bucket) bucket.units -= units;
  }

  #unitsLeft(access: Access): number {
    const bucket = this.#buckets.get(keyOf(access));
    if (!bucket) return Number.POSITIVE_INFINITY;
    const now = this.#clock();
    const filled = bucket.units + ((now - bucket.filledAt) / 1_000) * bucket.unitsPerSecond;
    bucket.units = Math.min(filled, bucket.unitsPerSecond);
    bucket.filledAt = now;
    return bucket.units;
  }
}

const keyOf = ({ kind, table, index = '' }: Pick<Access, 'kind' | 'table' | 'index'>) => `${kind} ${table} ${index}`;

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html */
function throttleEvents({ kind, table, index }: Access): MetricName {
  const dimensions = {
    TableName: table,
    ...(index !== undefined && { GlobalSecondaryIndexName: index }),
  };
  return { namespace: 'AWS/DynamoDB', name: `${kind}ThrottleEvents`, dimensions };
}
