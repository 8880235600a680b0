import { ApiError } from '../../contract/errors.ts';
import { type Declaration, parseDeclaration } from '../../sites/data/declaration.ts';
import { parseJson } from '../../sites/data/json-text.ts';
import type { Json } from '../../sites/data/store.ts';
import { siteOf } from '../../stored/data/site-data.ts';
import type { Deployment } from '../../stored/deployment.ts';
import { requireLive } from '../manage.ts';
import { takenDownError } from '../write-errors.ts';
import type { OwnedData } from './data-table.ts';

/** The data of a deployment, opened for its owner. */
export interface OpenedData {
  readonly store: ReturnType<OwnedData['store']>;
  readonly declaration: Declaration;
  /** The schemas as the file has them, by collection. */
  readonly fieldsOf: (collection: string) => readonly string[];
}

/**
 * Returns the data of a deployment, or undefined if its site has never declared any.
 * @throws ApiError gone, taken_down, not_found if sites of the stage have no data
 */
export async function openData(
  deployment: Deployment,
  table: OwnedData | undefined,
): Promise<OpenedData | undefined> {
  requireLive(deployment);
  // A takedown may be for what the page collected.
  const refused = takenDownError(deployment);
  if (refused) throw refused;
  if (!table)
    throw new ApiError('not_found', 'Sites of this service have no data: its operator has turned it off');
  const { id, data } = deployment;
  if (!data) return undefined;
  const text = (await table.rules(siteOf(id, data), data.rules)) ?? '{}';
  const declared = parseJson(text) as unknown as Record<
    string,
    { schema?: { properties?: Record<string, Json> } }
  >;
  return {
    store: table.store(id, data),
    declaration: parseDeclaration(text),
    fieldsOf: (collection) =>
      Object.hasOwn(declared, collection) ? Object.keys(declared[collection]?.schema?.properties ?? {}) : [],
  };
}

/**
 * Returns a collection of a deployment: one that is declared, or one that has items of a former declaration.
 * @throws ApiError not_found
 */
export async function openCollection(
  deployment: Deployment,
  name: string,
  table: OwnedData | undefined,
): Promise<OpenedData> {
  const opened = await openData(deployment, table);
  const isThere =
    opened &&
    (opened.declaration.collections.has(name) || (await opened.store.totals()).collections.includes(name));
  if (isThere) return opened;
  const known = [...(opened?.declaration.collections.keys() ?? [])].join(', ');
  throw new ApiError(
    'not_found',
    `The site has no collection of this name; ${known === '' ? 'its _data.json declares none' : `_data.json declares ${known}`}`,
  );
}
