import { assetKey } from '../../lambda/contract/assets.ts';
import { archiveKey, builtKey, lookKey } from '../../lambda/sites/archive.ts';
import { VERSION_PREFIX } from '../../lambda/stored/deployment.ts';
import type { Item } from './items.ts';
import type { NamedObject } from './objects.ts';

/** The objects that an item references: their prefix and their keys. */
export interface Names {
  readonly prefix: string;
  readonly objects: readonly NamedObject[];
}

const NONE: Names = { prefix: '', objects: [] };

/** Returns the objects of a deployment's versions; none for a deleted deployment or for other items of the table. */
export function objectsOfDeployment(item: Item): Names {
  const id = item.id?.S;
  if (id === undefined || !item.live || item.deletedAt) return NONE;
  const objects = Object.entries(item).flatMap(([name, value]) => {
    if (!name.startsWith(VERSION_PREFIX)) return [];
    const version = name.slice(VERSION_PREFIX.length);
    return [
      { key: archiveKey(id, version), required: true },
      { key: lookKey(id, version), required: false },
      ...(value.M?.built ? [{ key: builtKey(id, version), required: true }] : []),
    ];
  });
  return { prefix: `sites/${id}/`, objects };
}

/** Returns the object of an asset, which may not exist before its upload. */
export function objectOfAsset(item: Item): Names {
  const id = item.asset_id?.S;
  if (id === undefined) return NONE;
  const key = assetKey(id);
  return { prefix: key, objects: [{ key, required: item.state?.S === 'uploaded' }] };
}
