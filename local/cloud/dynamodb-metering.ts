import type { Account } from './account.ts';
import type { PutMetric } from './cloudwatch/metrics.ts';
import type { Parameters, Result } from './dynalite.ts';
import { type Access, accessesOf, isWrite, Throughput } from './dynamodb-throughput.ts';
import { meter } from './usage.ts';

/** Makes an error of the DynamoDB API. */
type ErrorOf = (type: string, message: string, more: object) => Error;

/** An operation on items. */
interface ItemOperation {
  /** Returns the parameters as the operation expects them. @throws Error if they are invalid */
  check(parameters: Parameters): Parameters;
  run(checked: Parameters): Promise<Result>;
}

/** What an operation consumed of one table. */
interface Capacity {
  readonly TableName: string;
  readonly CapacityUnits: number;
}

/** Runs operations on items within the maxima of their tables, and publishes the request units that they consume. */
export class Metering {
  readonly #account: Account;
  readonly #errorOf: ErrorOf;
  readonly #throughput: Throughput;

  constructor(account: Account, errorOf: ErrorOf, putMetric?: PutMetric) {
    this.#account = account;
    this.#errorOf = errorOf;
    this.#throughput = new Throughput(account.tables, putMetric);
  }

  /** @throws Error if the parameters are invalid, if a maximum throttles the operation, or if it fails */
  async run(name: string, parameters: Parameters, operation: ItemOperation): Promise<Result> {
    const { ReturnConsumedCapacity: wanted = 'NONE', TableName = 'several' } = parameters;
    const ReturnConsumedCapacity = wanted === 'NONE' ? 'TOTAL' : wanted;
    const checked = operation.check({ ...parameters, ReturnConsumedCapacity });
    const accesses = accessesOf(name, checked);
    const exceeded = this.#throughput.take(accesses);
    if (exceeded) throw this.#throttled(exceeded);
    const publish = (units: number) =>
      meter({
        service: 'dynamodb',
        operation: name,
        table: String(TableName),
        readUnits: isWrite(name) ? 0 : units,
        writeUnits: isWrite(name) ? units : 0,
      });
    try {
      const { ConsumedCapacity, ...result } = await operation.run(checked);
      publish(this.#settle(accesses, [ConsumedCapacity].flat() as Capacity[]));
      return { ...result, ...(wanted !== 'NONE' && { ConsumedCapacity }) };
    } catch (error) {
      // A write whose condition fails consumes as much as the item needs, at least one unit.
      publish(1);
      throw error;
    }
  }

  /** Takes what an operation consumed from the maxima of its tables. @returns the sum */
  #settle(accesses: readonly Access[], capacities: readonly Capacity[]): number {
    for (const access of accesses) {
      const capacity = capacities.find(({ TableName }) => TableName === access.table);
      this.#throughput.settle(access, capacity?.CapacityUnits ?? access.items);
    }
    return capacities.reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
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
