import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DATA_INDEXES, END_INDEX } from '../../lambda/platform/env.ts';
import { SiteDataTable } from '../../lambda/stored/data/site-data-table.ts';
import type { DataBounds } from '../../lambda/stored/data/site-state.ts';
import { startMemoryDynamoDB } from './memory-dynamodb.ts';

const WRITE = /^(Put|Update|Delete|BatchWrite)Command$/;

/** The error of a call that died. */
export class Crash extends Error {
  override readonly name = 'Crash';
}

const unreachable = () => Object.assign(new Error('No response'), { name: 'TimeoutError' });

/** What happens to the writes of a call: it dies instead of its nth write, or after it. */
export interface CrashPoint {
  readonly write: number;
  readonly isMade: boolean;
}

/** What happens to a call of the database: it is late, its request or its response is lost, or its caller dies before or after it. */
export type Fault = 'none' | 'late' | 'request lost' | 'response lost' | 'dies before' | 'dies after';

const LATE_MS = 400;

const localIndex = ({ name, sortKey }: { readonly name: string; readonly sortKey: string }) => ({
  IndexName: name,
  KeySchema: [
    { AttributeName: 'site', KeyType: 'HASH' },
    { AttributeName: sortKey, KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'ALL' },
});

/** Starts a table of data, whose clock the test sets. */
export async function startDataTable(bounds: Partial<DataBounds> = {}) {
  const { db, table } = await startMemoryDynamoDB('data', 'site', 'key', {
    attributes: [
      { AttributeName: DATA_INDEXES.author.sortKey, AttributeType: 'S' },
      { AttributeName: DATA_INDEXES.shown.sortKey, AttributeType: 'S' },
      { AttributeName: END_INDEX.shard, AttributeType: 'S' },
      { AttributeName: END_INDEX.sortKey, AttributeType: 'N' },
    ],
    LocalSecondaryIndexes: [localIndex(DATA_INDEXES.author), localIndex(DATA_INDEXES.shown)],
    GlobalSecondaryIndexes: [
      {
        IndexName: END_INDEX.name,
        KeySchema: [
          { AttributeName: END_INDEX.shard, KeyType: 'HASH' },
          { AttributeName: END_INDEX.sortKey, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  });
  const time = { now: Date.parse('2026-11-24T10:00:00Z') };
  const all = { items: 10_000, bytes: 50 * 1_048_576, creationsPerDay: 5_000, ...bounds };
  const over = (client: DynamoDBDocumentClient) => new SiteDataTable({ db: client, table, clock: () => time.now }, all);
  return {
    db,
    table,
    time,
    data: over(db),
    /** Counts the writes of a call. */
    counting() {
      const counted = { writes: 0 };
      const send = (command: { constructor: { name: string } }) => {
        if (WRITE.test(command.constructor.name)) counted.writes++;
        return db.send(command as never);
      };
      return { counted, data: over({ send } as unknown as DynamoDBDocumentClient) };
    },
    /**
     * Returns the table for a request to which faults happen. After its death, nothing that it does reaches the table.
     * @param faultOf returns what happens to the next call, which may be a write
     */
    faulty(faultOf: (isWrite: boolean) => Fault): SiteDataTable {
      let isDead = false;
      const send = async (command: { constructor: { name: string } }) => {
        const fault = isDead ? 'dies before' : faultOf(WRITE.test(command.constructor.name));
        isDead ||= fault === 'dies before';
        if (isDead) throw new Crash();
        if (fault === 'request lost') throw unreachable();
        if (fault === 'late') await sleep(LATE_MS);
        const output = await db.send(command as never);
        isDead ||= fault === 'dies after';
        if (isDead) throw new Crash();
        if (fault === 'response lost') throw unreachable();
        return output;
      };
      return over({ send } as unknown as DynamoDBDocumentClient);
    },
    /** Returns the table for a call that dies at a point. Nothing that it does after that reaches the table. */
    dying({ write, isMade }: CrashPoint): SiteDataTable {
      let writes = 0;
      return this.faulty((isWrite) => {
        if (!isWrite || ++writes !== write) return 'none';
        return isMade ? 'dies after' : 'dies before';
      });
    },
  };
}
