import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DATA_LIMITS } from '../../contract/limits.ts';
import type { Clock } from '../../platform/clock.ts';
import { SiteDataTable } from '../../stored/data/site-data-table.ts';

/** Returns the data of sites, or undefined if the stage has none. */
export function stageData(
  table: string | undefined,
  db: DynamoDBDocumentClient,
  clock: Clock,
): SiteDataTable | undefined {
  if (table === undefined) return undefined;
  // Only visitors create items.
  return new SiteDataTable({ db, table, clock }, { ...DATA_LIMITS, creationsPerDay: 0 });
}
