import { limitKey, VIEWER_ADDRESS_HEADER, VIEWER_HOST_HEADER } from '../access/viewer-address.ts';
import type { Delivery } from '../contract/responses/webhooks.ts';
import type { ApiRequest } from '../http/request.ts';
import { addToLog, log } from '../platform/log.ts';
import type { Declaration } from '../sites/data/declaration.ts';
import { problemResponse } from '../sites/data/form-page.ts';
import {
  DataProblem,
  type DataRequest,
  type DataResponse,
  emptyResponse,
  isNavigation,
  isSameSite,
  jsonResponse,
  privately,
} from '../sites/data/http.ts';
import { type DataResult, dataOperation } from '../sites/data/operations.ts';
import type { DataContext } from '../sites/data/rules.ts';
import type { Item } from '../sites/data/store.ts';
import { newItemId } from '../stored/data/keys.ts';
import { ownerUntil, type SiteData, siteOf } from '../stored/data/site-data.ts';
import type { SiteDataTable } from '../stored/data/site-data-table.ts';
import { DEPLOYMENT_ID, type Deployment } from '../stored/deployment.ts';
import { ANONYMOUS } from '../stored/deployment-owner.ts';
import type { GateBounds } from '../stored/held.ts';
import { notFoundResponse, openVersion, sharedOriginResponse } from '../stored/open-version.ts';
import { type Browser, isAdmitted } from '../stored/page-access.ts';
import type { RequestLimits } from './limits.ts';
import type { RememberedSites } from './remembered-sites.ts';
import {
  authorOf,
  endedOwnerCookie,
  isOwners,
  newVisitorId,
  ownerCookie,
  visitorCookie,
  visitorId,
} from './visitors.ts';

/** The parts that serve the data of a stage's sites. */
export interface DataStage {
  readonly sites: RememberedSites;
  readonly table: Pick<SiteDataTable, 'store'>;
  readonly rules: (site: string, hash: string) => Promise<Declaration>;
  readonly limits: Pick<RequestLimits, 'count' | 'requireRoom' | 'countCreation'>;
  /** Starts the delivery of a notification. */
  readonly notify: (delivery: Delivery) => Promise<void>;
  readonly clock: () => number;
  /** The URL of the service, without a slash at the end. */
  readonly baseUrl: string;
  /** `https://*.<siteDomain>`, if every deployment has an origin of its own. */
  readonly siteOrigin: string | undefined;
  /** Undefined if the stage has no gate. */
  readonly bounds?: GateBounds | undefined;
}

interface DataRequestOf extends Pick<ApiRequest, 'method' | 'path' | 'headers' | 'rawBody'> {
  /** Not decoded, without the `?`. */
  readonly rawQuery: string;
}

export interface Served extends DataResponse {
  readonly cookie?: string;
}

const NO_DECLARATION: Declaration = { collections: new Map() };

/** Responds to a request for the data of a site. Its sender came through a distribution. */
export async function serveData(request: DataRequestOf, stage: DataStage): Promise<Served> {
  const target = parseTarget(request.path);
  if (!target) return notice(notFoundResponse(), request);
  const { id, isOwn } = target;
  if (!isOwn && stage.siteOrigin !== undefined) return toOwnOrigin(target, request.rawQuery, stage.siteOrigin);
  addToLog({ deployment: id });
  const asked = describe(request, target, stage);
  try {
    return await serveSite(asked, stage);
  } catch (error) {
    if (!(error instanceof DataProblem)) throw error;
    return problemResponse(asked.data, error, asked.base);
  }
}

/** A request, and where it is for. */
interface Asked {
  readonly target: Target;
  readonly data: DataRequest;
  readonly browser: Browser;
  readonly address: string;
  readonly origin: string;
  /** The path of the site on its origin. */
  readonly base: string;
  readonly now: number;
}

function describe(request: DataRequestOf, target: Target, { baseUrl, clock }: DataStage): Asked {
  const { headers, method, rawQuery } = request;
  const url = new URL(baseUrl);
  // CloudFront passes the host without a port.
  url.hostname = headers[VIEWER_HOST_HEADER] ?? url.hostname;
  return {
    target,
    data: { method, path: target.path, folder: target.folder, rawQuery, headers, body: request.rawBody() },
    browser: { cookies: (headers.cookie ?? '').split(/;\s*/), secure: url.protocol === 'https:' },
    address: limitKey(headers[VIEWER_ADDRESS_HEADER] ?? ''),
    origin: url.origin,
    base: target.isOwn ? '/' : `/d/${target.id}/`,
    now: clock(),
  };
}

async function serveSite(asked: Asked, stage: DataStage): Promise<Served> {
  const { target, data, browser, address, now } = asked;
  const { method } = data;
  const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  const [, { deployment, state }] = await Promise.all([
    stage.limits.count(address, isRead),
    stage.sites.find(target.id, readsState(target, method)),
  ]);
  const open = openVersion(deployment, stage.bounds);
  if ('status' in open || !deployment) return notice('status' in open ? open : notFoundResponse(), data);
  const owner = deployment.data && { owner: deployment.owner, data: deployment.data };
  if (target.path === 'owner') return ownerResponse(asked, owner);
  // Pages of a shared origin can act as each other.
  const isOwner = target.isOwn && owner !== undefined && isOwners(owner, browser, now);
  if (deployment.access && !target.isOwn) return notice(sharedOriginResponse(), data);
  if (deployment.access && !isOwner && !isAdmitted(deployment.access, browser, now))
    throw new DataProblem('forbidden', 'This page is private');
  return perform(asked, deployment, { isOwner, state }, stage);
}

async function perform(
  { target, data, browser, address, origin, base, now }: Asked,
  deployment: Deployment,
  { isOwner, state }: { readonly isOwner: boolean; readonly state: Parameters<SiteDataTable['store']>[2] },
  { table, rules, limits, notify, clock }: DataStage,
): Promise<Served> {
  const { id } = deployment;
  const site: SiteData = deployment.data ?? { rules: '', since: 0, key: '' };
  const declaration = deployment.data ? await rules(siteOf(id, site), site.rules) : NO_DECLARATION;
  const isAnonymous = deployment.owner === ANONYMOUS;
  // An approval has a longer path.
  if (data.method === 'POST' && !data.path.includes('/')) await limits.requireRoom(address, isAnonymous);
  const known = target.isOwn ? visitorId(browser) : undefined;
  let minted: string | undefined;
  const context: DataContext = {
    declaration,
    store: table.store(id, site, state),
    caller: { owner: isOwner, ...(known !== undefined && { visitor: authorOf(known, site.key) }) },
    ...(target.isOwn && {
      newVisitor: (request) => {
        minted ??= newVisitorId(request, site.key);
        return authorOf(minted, site.key);
      },
    }),
    clock,
    newItemId: () => newItemId(now),
    idFor: (key) => authorOf(key, site.key),
    origin,
    base,
  };
  const { created, ...response } = await dataOperation(data, context);
  if (created?.isNew) await limits.countCreation(address, isAnonymous);
  if (created) await notifyOwner(deployment, created, notify);
  return minted === undefined ? response : { ...response, cookie: visitorCookie(minted, browser) };
}

/** A creation does not fail if its notification does. */
async function notifyOwner(
  deployment: Deployment,
  { collection, item }: Required<DataResult>['created'],
  notify: DataStage['notify'],
): Promise<void> {
  const delivery = dataDelivery(deployment, collection.name, item);
  if (delivery) await notify(delivery).catch((error: unknown) => log.error('notification not started', { error }));
}

/** Makes a browser the owner's with a valid link, and leads to a page of the site; or ends that. Other origins have no owner. */
function ownerResponse(
  { target, data, browser, origin, base, now }: Asked,
  owner: Parameters<typeof ownerUntil>[0] | undefined,
): Served {
  const query = new URLSearchParams(data.rawQuery);
  if (data.method === 'DELETE' && isSameSite(data.headers, origin))
    return { ...privately(emptyResponse(204)), cookie: endedOwnerCookie(browser) };
  const isRead = data.method === 'GET' || data.method === 'HEAD';
  if (!isRead)
    throw new DataProblem('method_not_allowed', 'The method must be GET or HEAD, or DELETE from the site', {
      headers: { Allow: 'GET, HEAD, DELETE' },
    });
  if (!target.isOwn) throw new DataProblem('forbidden', 'The site has no origin of its own');
  if (!owner || ownerUntil(owner, 'link', query.get('key') ?? undefined, now) === undefined)
    throw new DataProblem('forbidden', 'This link is not valid, or not any more: its owner makes a new one');
  const location = pathOfSite(query.get('to'), base);
  const response = privately(emptyResponse(303, { Location: location, 'Referrer-Policy': 'no-referrer' }));
  return { ...response, cookie: ownerCookie(owner, browser, now) };
}

/** Returns a path of the same site, whatever was asked for. */
function pathOfSite(to: string | null, base: string): string {
  const url = URL.parse(to ?? '', `https://site.invalid${base}`);
  // The origin of a `blob:` URL is that of the URL in its path.
  if (url?.host !== 'site.invalid' || url.protocol !== 'https:') return base;
  // A path that begins with two slashes would be another host.
  return url.pathname.replace(/^\/+/, '/') + url.search + url.hash;
}

function toOwnOrigin({ id, rest }: Target, rawQuery: string, siteOrigin: string): Served {
  const query = rawQuery === '' ? '' : `?${rawQuery}`;
  return privately(emptyResponse(307, { Location: siteOrigin.replace('*', id) + rest + query }));
}

const NOTICES: Readonly<Record<number, { readonly error: string; readonly code: string }>> = {
  403: { error: 'This page is not public', code: 'forbidden' },
  404: { error: 'Nothing is deployed under this address', code: 'not_found' },
  410: { error: 'This page was deleted, or its time is over', code: 'gone' },
  451: { error: 'The operator of this service took this page down', code: 'taken_down' },
};

/** Returns a notice in place of a site: a page for people, JSON for scripts. */
function notice(
  { status, headers, body }: { status: number; headers: Readonly<Record<string, string>>; body: Uint8Array },
  request: Pick<DataRequest, 'headers'>,
): Served {
  if (isNavigation(request)) return privately({ status, headers, body });
  return privately(jsonResponse(status, NOTICES[status] ?? { error: 'This page is not available', code: 'forbidden' }));
}

/** The target of a request for data. */
interface Target {
  /** The id of the deployment. */
  readonly id: string;
  /** Whether the site has the origin for itself. */
  readonly isOwn: boolean;
  /** The path behind the id, as it was sent; begins with a slash. */
  readonly rest: string;
  /** Where `.data/` is below the site: an empty text, or with a slash at its end. */
  readonly folder: string;
  /** The path behind `.data/`. */
  readonly path: string;
}

/** `/data/d/<id>/…` or `/data/own/<id>/…`, which CloudFront makes of the path below the base URL, or on the site's own origin. */
const PATH = /^\/data\/(d|own)\/([^/]+)(\/.*)$/s;

const MARK = '/.data/';

/** Returns what a path is for; undefined if it is for nothing. */
export function parseTarget(requestPath: string): Target | undefined {
  const [, kind, id = '', rest = ''] = PATH.exec(requestPath) ?? [];
  const mark = rest.indexOf(MARK);
  if (!DEPLOYMENT_ID.test(id) || mark < 0) return undefined;
  const path = rest.slice(mark + MARK.length);
  return { id, isOwn: kind === 'own', rest, folder: rest.slice(1, mark + 1), path };
}

/** Reports if the response to a request needs the state of the site: a list, a count or a tally. */
function readsState({ path }: Pick<Target, 'path'>, method: string): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && path !== 'owner' && /^[a-z][a-z0-9-]*(\/(count|tally))?$/.test(path);
}

/**
 * Returns the notification of an item that a visitor created, or undefined if the owner wants none. It names the item, and has none
 * of its fields: executions of deliveries are kept for 90 days, even if the item is deleted.
 */
export function dataDelivery(
  { id, owner, dataWebhook }: Pick<Deployment, 'id' | 'owner' | 'dataWebhook'>,
  collection: string,
  item: Pick<Item, 'id' | 'createdAt'>,
): Delivery | undefined {
  if (dataWebhook === undefined || owner === ANONYMOUS) return undefined;
  const url = `/api/v1/deployments/${id}/data/${collection}/${item.id}`;
  return {
    id: `data-${id}-${item.id}`.slice(0, 80),
    url: dataWebhook,
    owner,
    event: {
      type: 'data.created',
      timestamp: new Date(item.createdAt).toISOString(),
      data: { id, collection, item: item.id, url },
    },
  };
}
