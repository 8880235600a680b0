import type { Output } from '../../terminal/program.ts';
import type { Stage } from '../stage.ts';
import { each } from './each.ts';
import { allItems, type Item } from './items.ts';
import { type Names, objectOfAsset, objectsOfDeployment } from './named-objects.ts';
import { ObjectRestore } from './objects.ts';
import { Progress } from './progress.ts';
import { type RestoredName, restoredIn } from './restored.ts';

const CHECKED: readonly {
  readonly table: RestoredName;
  readonly bucket: RestoredName;
  readonly names: (item: Item) => Names;
}[] = [
  { table: 'assets', bucket: 'asset-files', names: objectOfAsset },
  { table: 'deployments', bucket: 'archives', names: objectsOfDeployment },
];

/**
 * Checks that the objects of all deployments and assets of a stack exist.
 * @param repairs recovers deleted objects whose versions still exist, from the buckets of `sources` or else their own
 * @returns the keys of the missing objects
 */
export async function checkObjects(
  stage: Stage,
  {
    repairs,
    sources = {},
  }: { readonly repairs: boolean; readonly sources?: Partial<Record<RestoredName, string>> },
  stderr: Output,
): Promise<string[]> {
  const own = restoredIn(await stage.resources(stage.stackName));
  const missing: string[] = [];
  for (const { table, bucket, names } of CHECKED) {
    const [tableName, to] = [own[table], own[bucket]];
    if (tableName === undefined || to === undefined) continue;
    const from = { s3: stage.s3, name: sources[bucket] ?? to };
    const objects = new ObjectRestore(from, { s3: stage.s3, name: to }, repairs);
    const progress = new Progress(`${table} checked`, stderr);
    await each(allItems(stage.db, tableName), async (item) => {
      const named = names(item);
      if (named.objects.length === 0) return;
      const found = await objects.bringBack(named.prefix, named.objects);
      missing.push(...found.missing);
      progress.count(found.missing.length > 0 ? 'incomplete' : 'complete');
      if (found.copied > 0) progress.count('objects recovered', found.copied);
    });
    stderr.write(`${progress.text}\n`);
  }
  return missing.toSorted();
}
