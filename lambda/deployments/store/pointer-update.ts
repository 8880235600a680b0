import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unlessConditionFails } from '../../platform/dynamodb.ts';

/** The versions in an `If-Match` header, or `*` for any; undefined without the header. */
export type IfMatch = readonly string[] | '*' | undefined;

/** A conditional update of a pointer. Its `ifMatch` adds conditions. */
export interface Update {
  readonly set?: readonly string[];
  /** Attributes to remove, by name. */
  readonly remove?: readonly string[];
  /** Paths to remove, with placeholders of `names`. */
  readonly removePaths?: readonly string[];
  readonly conditions: readonly string[];
  /** Attribute names by placeholder, without the `#`. */
  readonly names?: Readonly<Record<string, string>>;
  /** Attribute values by placeholder, without the `:`. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly ifMatch?: IfMatch;
}

export const EXISTS = 'attribute_exists(live)';
/** Of deployments whose life has not ended either. `updatePointer` sets `:clock`. */
export const NOT_DELETED =
  '(attribute_not_exists(deletedAt) AND (attribute_not_exists(endsAt) OR endsAt > :clock))';
export const DELETED = '(attribute_exists(deletedAt) OR endsAt <= :clock)';

/**
 * Updates a pointer.
 * @param now in Unix milliseconds
 * @returns its item before the update, if there was one, or `done: false` if a condition failed
 */
export async function updatePointer(
  db: DynamoDBDocumentClient,
  TableName: string,
  id: string,
  update: Update,
  now: number,
): Promise<{ done: boolean; before: Record<string, unknown> | undefined }> {
  const matching = matches(update.ifMatch);
  const condition = [...update.conditions, ...matching.conditions].join(' AND ');
  // DynamoDB rejects a value that no expression uses.
  const clock = condition.includes(':clock') ? { clock: now } : {};
  const removed = Object.fromEntries((update.remove ?? []).map((name, i) => [`r${i}`, name]));
  const names = prefixKeys('#', { ...update.names, ...removed });
  const values = prefixKeys(':', { ...update.values, ...matching.values, ...clock });
  const placeholders = Object.keys(removed).map((placeholder) => `#${placeholder}`);
  const removals = [...placeholders, ...(update.removePaths ?? [])];
  const output = await unlessConditionFails(
    db.send(
      new UpdateCommand({
        TableName,
        Key: { id },
        UpdateExpression: [clause('SET', update.set ?? []), clause('REMOVE', removals)].join(' '),
        ConditionExpression: condition,
        ...(names && { ExpressionAttributeNames: names as Record<string, string> }),
        ...(values && { ExpressionAttributeValues: values }),
        ReturnValues: 'ALL_OLD',
      }),
    ),
  );
  return { done: output !== undefined, before: output?.Attributes };
}

/** Returns the conditions of an `If-Match` (RFC 9110, 13.1.1); no header matches without a live version. */
function matches(ifMatch: IfMatch): { conditions: string[]; values: Record<string, string> } {
  if (ifMatch === undefined) return { conditions: [], values: {} };
  if (ifMatch === '*') return { conditions: [EXISTS, NOT_DELETED], values: {} };
  const values = Object.fromEntries(ifMatch.map((version, i) => [`match${i}`, version]));
  const list = Object.keys(values).map((placeholder) => `:${placeholder}`);
  return { conditions: [EXISTS, NOT_DELETED, `live IN (${list.join(', ')})`], values };
}

function clause(keyword: string, parts: readonly string[]): string {
  return parts.length === 0 ? '' : `${keyword} ${parts.join(', ')}`;
}

/** Returns a map with the sign before each placeholder, or undefined, because DynamoDB rejects an empty map. */
function prefixKeys(sign: string, map: Record<string, unknown>): Record<string, unknown> | undefined {
  const entries = Object.entries(map).map(([name, value]) => [sign + name, value] as const);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
