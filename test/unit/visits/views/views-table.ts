import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type DayViews, toDayViews } from '../../../../lambda/stored/views.ts';
import type { View } from '../../../../lambda/visits/views/view.ts';
import { ViewCounter } from '../../../../lambda/visits/views/view-counter.ts';
import { ViewStore } from '../../../../lambda/visits/views/view-store.ts';
import { startMemoryDynamoDB } from '../../../support/memory-dynamodb.ts';

export const DAY = '2026-11-24';
export const PAGE = 'abcdefghijkl';

/** A table of views, and instances that count into it by a clock that tests set. */
export async function startViewsTable() {
  const { db, table } = await startMemoryDynamoDB('views', 'page', 'day');
  const state = { now: Date.parse(`${DAY}T10:00:00Z`), writes: 0, afterSend: async () => {} };
  const counting = {
    send: async (command: unknown) => {
      const isOfPage = command instanceof UpdateCommand && command.input.Key?.page !== '#salt';
      if (isOfPage) state.writes++;
      const output = await db.send(command as UpdateCommand);
      if (isOfPage) await state.afterSend();
      return output;
    },
  } as unknown as DynamoDBDocumentClient;
  const clock = () => state.now;
  const stored = async (page = PAGE, day = DAY): Promise<Record<string, unknown> | undefined> =>
    (await db.send(new GetCommand({ TableName: table, Key: { page, day }, ConsistentRead: true }))).Item;
  const readUnits = async (): Promise<number> => {
    const Key = { page: PAGE, day: DAY };
    const get = { TableName: table, Key, ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' as const };
    return (await db.send(new GetCommand(get))).ConsumedCapacity?.CapacityUnits ?? 0;
  };
  return {
    db,
    /** Visits one after the other. */
    visits: async (instance: ViewCounter, count: number, pauseMs: number, of = () => viewOf()) => {
      for (let i = 0; i < count; i++) {
        state.now += pauseMs;
        await instance.writeOverdue();
        await instance.count(of());
      }
    },
    readUnits,
    table,
    state,
    stored,
    read: async (page?: string, day?: string): Promise<DayViews> => toDayViews(await stored(page, day)),
    instance: (circuit = { call: <T>(perform: () => Promise<T>) => perform() }) =>
      new ViewCounter(new ViewStore({ db: counting, table, circuit }), clock),
  };
}

export const viewOf = (more: Partial<View> = {}): View => ({
  page: PAGE,
  isBot: false,
  status: 200,
  names: [['pages', '/']],
  address: '192.0.2.1',
  userAgent: 'a browser',
  ...more,
});
