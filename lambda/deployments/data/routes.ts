import type { DataItem } from '../../contract/data.ts';
import { ApiError } from '../../contract/errors.ts';
import { DATA_PAGE } from '../../contract/limits.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import type { ListLinks } from '../../http/list.ts';
import type { ApiRequest, ApiResponse } from '../../http/request.ts';
import { type Call, type Route, route } from '../../http/router.ts';
import { namesType } from '../../platform/accept-headers.ts';
import { presentItem } from '../../sites/data/http.ts';
import type { OwnedData } from '../../stored/data/site-data-table.ts';
import type { Deployment } from '../../stored/deployment.ts';
import { siteUrl } from '../resource.ts';
import type { DeployStage } from '../stage.ts';
import {
  approveItem,
  backupsUntil,
  clearCollection,
  createOwnerLink,
  deleteItem,
  fieldsOf,
  listCollections,
  type OpenedData,
  openCollection,
  openData,
  requireItem,
} from './owned-data.ts';

/** The parts that the operations on the data of sites use. */
export interface DataApi extends Pick<DeployStage, 'baseUrl' | 'siteOrigin' | 'clock'>, Pick<ListLinks, 'apiUrl'> {
  /** Undefined if sites of the stage have no data. */
  readonly data?: OwnedData | undefined;
  readonly pointers: Pick<DeployStage['pointers'], 'requireToken'>;
  /** Returns a deployment of the sender of a request. */
  readonly owned: (id: string | undefined, request: ApiRequest) => Promise<Deployment>;
}

/** Returns the routes with which owners read and manage the data of their sites. */
export function dataRoutes(api: DataApi): Route[] {
  const { owned, data, clock } = api;
  const collectionOf = async ({ request, params }: Pick<Call<'listDataItems'>, 'request' | 'params'>) => {
    const { id, collection = '', item = '' } = params;
    const opened = await openCollection(await owned(id, request), collection, data);
    return { ...opened, collection, item };
  };
  return [
    route('getDeploymentData', async ({ request, params }) => {
      const deployment = await owned(params.id, request);
      const opened = await openData(deployment, data);
      return json(await listCollections(opened, opened !== undefined && siteUrl(deployment, api) !== undefined));
    }),
    route('createDataLink', async ({ request, params }) => {
      const deployment = await owned(params.id, request);
      await openData(deployment, data);
      return json(await createOwnerLink(deployment, siteUrl(deployment, api), api));
    }),
    route('listDataItems', async (call) => {
      const opened = await collectionOf(call);
      const page = { request: call.request, query: call.query, id: call.params.id ?? '' };
      return namesType(call.request.headers.accept, 'text/csv') ? table(opened, page, api) : list(opened, page, api);
    }),
    route('getDataItem', async (call) => {
      const { store, collection, item } = await collectionOf(call);
      return json(presentItem(await requireItem(store, collection, item)));
    }),
    route('approveDataItem', async (call) => {
      const { collection, item, ...opened } = await collectionOf(call);
      const { seen } = call.query;
      return json(presentItem(await approveItem(opened, collection, { id: item, seen }, clock)));
    }),
    route('deleteDataItem', async (call) => {
      const { store, collection, item } = await collectionOf(call);
      await deleteItem(store, collection, item);
      return json({ id: item, status: 'deleted', backupsUntil: backupsUntil(clock()) });
    }),
    route('clearCollection', async (call) => {
      const { store, collection } = await collectionOf(call);
      const cleared = await clearCollection(store, collection, clock);
      return json({ ...cleared, backupsUntil: backupsUntil(clock()) });
    }),
  ];
}

const json = (body: object): ApiResponse => ({ statusCode: 200, body });

type Collection = OpenedData & { readonly collection: string };
type Page = Pick<Call<'listDataItems'>, 'request' | 'query'> & { readonly id: string };

async function list({ store, collection }: Collection, page: Page, api: DataApi): Promise<ApiResponse> {
  const { limit = DATA_PAGE.standard, cursor } = page.query;
  const { items, next = null } = await store.list(collection, {
    limit,
    before: cursorOf(cursor),
    shownOnly: false,
  });
  const links = next === null ? {} : { Link: nextLink(collection, page, { limit, cursor: next }, api) };
  return { statusCode: 200, headers: links, body: { items: items.map((item) => presentItem(item)), nextCursor: next } };
}

/** Returns a table of all items, as many as a response may have. */
async function table({ store, collection, declaration }: Collection, page: Page, api: DataApi): Promise<ApiResponse> {
  const shown: DataItem[] = [];
  let before = cursorOf(page.query.cursor);
  let bytes = 0;
  do {
    const { items, next } = await store.list(collection, { limit: DATA_PAGE.most, before, shownOnly: false });
    shown.push(...items.map((item) => presentItem(item)));
    bytes += items.reduce((sum, item) => sum + Buffer.byteLength(JSON.stringify(item)) * 1.5, 0);
    before = next;
    // A page has at most 1 MB.
  } while (before !== undefined && bytes < CSV_BYTES - 1_500_000);
  const links = before === undefined ? {} : { Link: nextLink(collection, page, { cursor: before }, api) };
  return {
    statusCode: 200,
    headers: { 'Content-Type': 'text/csv; charset=utf-8', 'Cache-Control': 'no-store', ...links },
    bytes: Buffer.from(csvOf(shown, fieldsOf(declaration, collection))),
  };
}

const CURSOR = /^[\w.-]{1,100}$/;

/** Returns the id of the last item of the earlier page. @throws ApiError invalid_request */
function cursorOf(cursor: string | undefined): string | undefined {
  if (cursor === undefined || CURSOR.test(cursor)) return cursor;
  throw new ApiError(
    'invalid_request',
    'cursor is not the nextCursor of an earlier page of this list: omit it to begin with the newest item',
  );
}

function nextLink(
  collection: string,
  { request, id }: Page,
  query: { readonly limit?: number; readonly cursor: string },
  { apiUrl }: DataApi,
): string {
  const path = OPERATIONS.listDataItems.path.replace('{id}', id).replace('{collection}', collection);
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `<${apiUrl(request, `${path}?${parameters.join('&')}`)}>; rel="next"`;
}

/** Lambda sends at most 6 MB. */
const CSV_BYTES = 4 * 1_048_576;

/** Spreadsheets take UTF-8 for their own encoding without it. */
const BYTE_ORDER_MARK = '\ufeff';

/** Text that spreadsheets may take for a formula; some trim invisible characters before it, or know wide forms. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/u;

/** Where a spreadsheet whose separator is not the comma begins another cell: there, quotes within a line have no meaning. */
const INNER_FORMULA = /([;\t\r\n])((?:(?![\t\r\n])[\s\p{Cc}\p{Cf}])*[=+\-@\uff0b\uff0d\uff1d\uff20])/gu;

/**
 * Returns items as a table (RFC 4180) with a heading. Texts that a spreadsheet could take for a formula begin with an apostrophe.
 * https://owasp.org/www-community/attacks/CSV_Injection
 * @param fields the fields of the schema, in its order; others follow
 */
function csvOf(items: readonly DataItem[], fields: readonly string[]): string {
  const own = ['id', 'createdAt', 'updatedAt', 'waiting'];
  const columns = new Set([...own, ...fields, ...items.flatMap((item) => Object.keys(item))]);
  const rows = items.map((item) => [...columns].map((name) => cell(item[name])));
  return BYTE_ORDER_MARK + [[...columns].map(cell), ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  // No formula: a spreadsheet may calculate with it.
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const inner = text.replace(INNER_FORMULA, "$1'$2");
  const harmless = FORMULA.test(text) ? `'${inner}` : inner;
  return `"${harmless.replaceAll('"', '""')}"`;
}
