import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../platform/clock.ts';
import { unlessConditionFails } from '../platform/dynamodb.ts';
import { keptUntil } from './kept-until.ts';
import type { Window } from './quota.ts';

export interface WindowPorts {
  readonly db: DynamoDBDocumentClient;
  readonly table: string;
  readonly clock: Clock;
  readonly windowSeconds: number;
}

/** A window as it is stored, with the bytes of days by `bytes#<day>`. */
export type StoredWindow = Window & { readonly [name: `bytes#${string}`]: number | undefined };

/** The clauses of an update of a window. */
interface WindowUpdate {
  readonly SET: string;
  readonly REMOVE?: string;
  readonly ADD: readonly string[];
  readonly condition: string;
}

const DAY_MS = 86_400_000;

/** Returns the attribute with the bytes of the UTC day of a time. */
export function bytesOn(now: number): `bytes#${string}` {
  return `bytes#${new Date(now).toISOString().slice(0, 10)}`;
}

/** Counts in the current window, or the first one of a new caller; undefined if the window has ended. */
export function countInWindow(
  caller: string,
  bytes: number,
  ports: WindowPorts,
): Promise<StoredWindow | undefined> {
  const update = {
    SET: '#start = if_not_exists(#start, :now), expiresAt = :expiresAt',
    ADD: ['#count :one'],
    condition: 'attribute_not_exists(#start) OR #start > :deadBefore',
  };
  return updateWindow(caller, bytes, update, ports);
}

/** Replaces an ended window by a new one; undefined if no window has ended. */
export function replaceWindow(
  caller: string,
  bytes: number,
  ports: WindowPorts,
): Promise<StoredWindow | undefined> {
  const update = {
    SET: '#start = :now, expiresAt = :expiresAt, #count = :one',
    REMOVE: '#yesterday',
    ADD: [],
    condition: '#start <= :deadBefore',
  };
  return updateWindow(caller, bytes, update, ports);
}

async function updateWindow(
  caller: string,
  bytes: number,
  { SET, REMOVE, ADD, condition }: WindowUpdate,
  { db, table, windowSeconds, clock }: WindowPorts,
): Promise<StoredWindow | undefined> {
  const now = clock();
  const added = bytes > 0 ? [...ADD, '#bytes :bytes'] : ADD;
  const clauses = [
    `SET ${SET}`,
    ...(REMOVE === undefined ? [] : [`REMOVE ${REMOVE}`]),
    ...(added.length > 0 ? [`ADD ${added.join(', ')}`] : []),
  ];
  const update = new UpdateCommand({
    TableName: table,
    Key: { caller },
    UpdateExpression: clauses.join(' '),
    ConditionExpression: condition,
    // DynamoDB rejects names and values that no expression uses.
    ExpressionAttributeNames: {
      '#count': 'count',
      '#start': 'start',
      ...(bytes > 0 && { '#bytes': bytesOn(now) }),
      ...(REMOVE !== undefined && { '#yesterday': bytesOn(now - DAY_MS) }),
    },
    ExpressionAttributeValues: {
      ':one': 1,
      ':now': now,
      ...(bytes > 0 && { ':bytes': bytes }),
      ':deadBefore': now - windowSeconds * 1000,
      // DynamoDB's TTL deletes lazily: whether a window has ended is computed from its start.
      ':expiresAt': keptUntil(now, windowSeconds),
    },
    ReturnValues: 'ALL_NEW',
  });
  const output = await unlessConditionFails(db.send(update));
  return output?.Attributes as StoredWindow | undefined;
}
