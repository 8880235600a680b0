import type { DataItem } from '../../contract/data.ts';
import { ApiError } from '../../contract/errors.ts';
import { DATA_PAGE } from '../../contract/limits.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import type { ListLinks } from '../../http/list.ts';
import type { ApiRequest, ApiResponse } from '../../http/request.ts';
import { type Call, type Route, route } from '../../http/router.ts';
import { namesType } from '../../platform/accept-headers.ts';
import { signOwner } from '../../stored/data/owner-link.ts';
import type { Deployment } from '../../stored/deployment.ts';
import { ANONYMOUS } from '../../stored/deployment-owner.ts';
import { siteUrl } from '../resource.ts';
import type { DeployStage } from '../stage.ts';
import { CSV_BYTES, csvOf } from './csv.ts';
import type { OwnedData } from './data-table.ts';
import {
  approveItem,
  backupsUntil,
  clearCollection,
  deleteItem,
  listCollections,
  requireItem,
  shownItem,
} from './items.ts';
import { type OpenedData, openCollection, openData } from './owned-data.ts';

/** What the operations on the data of sites use. */
export interface DataApi
  extends Pick<DeployStage, 'baseUrl' | 'siteOrigin' | 'clock'>,
    Pick<ListLinks, 'apiUrl'> {
  /** Undefined if sites of the stage have no data. */
  readonly data?: OwnedData | undefined;
  readonly pointers: Pick<DeployStage['pointers'], 'requireToken'>;
  /** Returns a deployment of the sender of a request. */
  readonly owned: (id: string | undefined, request: ApiRequest) => Promise<Deployment>;
}

/** Until the link is opened, in seconds; the browser stays the owner's for longer. */
const LINK_SECONDS = 600;

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
      return json(
        await listCollections(opened, opened !== undefined && ownOrigin(deployment, api) !== undefined),
      );
    }),
    route('createDataLink', async ({ request, params }) => {
      const deployment = await owned(params.id, request);
      await openData(deployment, data);
      const link = ownerLink(deployment, api);
      // A script of a page that only knows the projectId would be in the owner's browser.
      if (deployment.owner === ANONYMOUS && !deployment.tokenRequired)
        await api.pointers.requireToken(deployment.id);
      return json(link);
    }),
    route('listDataItems', async (call) => {
      const opened = await collectionOf(call);
      const page = { request: call.request, query: call.query, id: call.params.id ?? '' };
      return namesType(call.request.headers.accept, 'text/csv')
        ? table(opened, page, api)
        : list(opened, page, api);
    }),
    route('getDataItem', async (call) => {
      const { store, collection, item } = await collectionOf(call);
      return json(shownItem(await requireItem(store, collection, item)));
    }),
    route('approveDataItem', async (call) => {
      const { collection, item, ...opened } = await collectionOf(call);
      const { seen } = call.query;
      return json(shownItem(await approveItem(opened, collection, { id: item, seen }, clock)));
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

type Collection = Pick<OpenedData, 'store' | 'fieldsOf'> & { readonly collection: string };
type Page = Pick<Call<'listDataItems'>, 'request' | 'query'> & { readonly id: string };

async function list({ store, collection }: Collection, page: Page, api: DataApi): Promise<ApiResponse> {
  const { limit = DATA_PAGE.standard, cursor } = page.query;
  const { items, next = null } = await store.list(collection, {
    limit,
    before: cursorOf(cursor),
    shownOnly: false,
  });
  const links = next === null ? {} : { Link: nextLink(collection, page, { limit, cursor: next }, api) };
  return { statusCode: 200, headers: links, body: { items: items.map(shownItem), nextCursor: next } };
}

/** Returns a table of all items, as many as a response may have. */
async function table(
  { store, collection, fieldsOf }: Collection,
  page: Page,
  api: DataApi,
): Promise<ApiResponse> {
  const shown: DataItem[] = [];
  let before = cursorOf(page.query.cursor);
  let bytes = 0;
  do {
    const { items, next } = await store.list(collection, { limit: DATA_PAGE.most, before, shownOnly: false });
    shown.push(...items.map(shownItem));
    bytes += items.reduce((sum, item) => sum + Buffer.byteLength(JSON.stringify(item)) * 1.5, 0);
    before = next;
    // A page has at most 1 MB.
  } while (before !== undefined && bytes < CSV_BYTES - 1_500_000);
  const links = before === undefined ? {} : { Link: nextLink(collection, page, { cursor: before }, api) };
  return {
    statusCode: 200,
    headers: { 'Content-Type': 'text/csv; charset=utf-8', 'Cache-Control': 'no-store', ...links },
    bytes: Buffer.from(csvOf(shown, fieldsOf(collection))),
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

/** Returns the site on an origin that only its pages are on, or undefined. */
function ownOrigin(deployment: Deployment, api: DataApi): string | undefined {
  return siteUrl(deployment, api);
}

/** @throws ApiError invalid_request without an origin of the site's own, not_found without data */
function ownerLink(
  deployment: Deployment,
  api: DataApi,
): { readonly url: string; readonly expiresAt: number } {
  const { owner, data } = deployment;
  if (!data) throw new ApiError('not_found', 'The site has no data: its _data.json declares it');
  const site = ownOrigin(deployment, api);
  if (site === undefined)
    throw new ApiError(
      'invalid_request',
      'Pages of this service share one origin, on which other pages could use the link: read the data here, or add a domain to the deployment',
    );
  const end = Math.floor(api.clock() / 1_000) + LINK_SECONDS;
  const key = signOwner({ owner, data }, 'link', end);
  return { url: `${new URL('.data/owner', site)}?key=${key}`, expiresAt: end * 1_000 };
}
