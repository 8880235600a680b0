import { type DynamoDBDocumentClient, GetCommand, type UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unlessConditionFails } from '../../platform/dynamodb.ts';
import type { CircuitBreaker } from '../../platform/unreachable.ts';
import { type DayKey, type DayViews, toDayViews } from '../../stored/views/day-views.ts';
import { saltOf } from '../../stored/views/salts.ts';
import type { Batch } from './batch.ts';
import { batchUpdate, type ListPlans, raiseLevel, type WriteName } from './update.ts';

export interface ViewStorePorts {
  readonly db: DynamoDBDocumentClient;
  /** The table of views. */
  readonly table: string;
  /** A circuit of its own: while this table cannot be reached, pages are still served. */
  readonly circuit: Pick<CircuitBreaker, 'call'>;
}

/** Reads and writes the views of pages. */
export class ViewStore {
  readonly #ports: ViewStorePorts;

  constructor(ports: ViewStorePorts) {
    this.#ports = ports;
  }

  salt(day: string): Promise<Uint8Array> {
    const { db, table, circuit } = this.#ports;
    return circuit.call(() => saltOf(db, table, day));
  }

  async read(key: DayKey, consistent = false): Promise<DayViews> {
    const { db, table, circuit } = this.#ports;
    const get = new GetCommand({ TableName: table, Key: key, ConsistentRead: consistent });
    return toDayViews((await circuit.call(() => db.send(get))).Item);
  }

  /** Adds a batch and returns the views of the day, or undefined if that was done before or the names have changed. */
  add(
    key: DayKey,
    batch: Batch,
    known: DayViews,
    plans: ListPlans,
    name: WriteName,
  ): Promise<DayViews | undefined> {
    return this.#update(batchUpdate(this.#ports.table, key, batch, known, plans, name));
  }

  /** Makes the sample of visitors smaller if it is too large, and returns the views of the day. */
  async shrink(key: DayKey, known: DayViews): Promise<DayViews> {
    const update = raiseLevel(this.#ports.table, key, known);
    return update ? ((await this.#update(update)) ?? this.read(key, true)) : known;
  }

  async #update(update: UpdateCommand): Promise<DayViews | undefined> {
    const { db, circuit } = this.#ports;
    const output = await circuit.call(() => unlessConditionFails(db.send(update)));
    return output && toDayViews(output.Attributes);
  }
}
