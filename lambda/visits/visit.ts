import type { Clock } from '../platform/clock.ts';
import { isMissingObject } from '../platform/missing-object.ts';
import { type Deployment, isChanging, liveVersion, type Version } from '../sites/deployment.ts';
import { DEPLOYMENT_ID } from '../sites/deployment-id.ts';
import { CACHE_TAG_HEADER, cacheTag } from '../sites/edge.ts';
import { errorResponse } from './pages.ts';
import { redirect, type Site, type SiteRequest } from './site.ts';
import type { SiteResponse } from './site-response.ts';

export interface VisitPorts {
  readonly find: (id: string) => Promise<Deployment | undefined>;
  /** A version of a site, from memory when this instance has it. */
  readonly load: (id: string, version: Version, base: string) => Promise<Site>;
  readonly clock: Clock;
  /** `https://*.<siteDomain>` when every deployment has an origin of its own. */
  readonly siteOrigin?: string | undefined;
}

/** What a visitor sends, with the path as it was sent. */
export interface Visit extends Omit<SiteRequest, 'path'> {
  readonly rawPath: string;
}

/** Where a request leads: under the base URL, or (with its origin's path put after it) on an origin of its own. */
const PATH = /^\/(d|own)\/([^/]*)(\/?)(.*)$/s;

/**
 * The edge keeps an answer until the next change drops its tag, and goes on with it for a week when it can not ask
 * anew. A day is the bound for an answer that was on its way while the tag was dropped. A browser asks every time,
 * and mostly gets a 304.
 */
const CACHED = 'public, max-age=0, s-maxage=86400, stale-if-error=604800';

/** While a change is announced nothing is kept, so that nothing old can be beside what is new. */
const CHANGING = 'no-cache, stale-if-error=0';

/** Answers `/d/<id>/…`, or `/own/<id>/…` when the request came to the deployment's own origin. */
export async function visit({ rawPath, ...request }: Visit, ports: VisitPorts): Promise<SiteResponse> {
  const [, prefix = '', id = '', slash = '', path = ''] = PATH.exec(decode(rawPath)) ?? [];
  if (!DEPLOYMENT_ID.test(id)) return unknown();
  if (prefix === 'd' && ports.siteOrigin !== undefined)
    return redirect(
      `${ports.siteOrigin.replace('*', id)}/${rawPath.slice(`/d/${id}/`.length)}`,
      request.rawQuery,
    );
  const response = await answer(id, slash, prefix === 'own' ? '/' : `/d/${id}/`, { ...request, path }, ports);
  const common = { [CACHE_TAG_HEADER]: cacheTag(id), 'X-Content-Type-Options': 'nosniff' };
  return { ...response, headers: { ...common, ...response.headers } };
}

async function answer(
  id: string,
  slash: string,
  base: string,
  request: SiteRequest,
  ports: VisitPorts,
): Promise<SiteResponse> {
  const deployment = await ports.find(id);
  const live = openVersion(deployment);
  if ('status' in live) return live;
  // Relative references of a page resolve against its folder, so it must have one.
  if (slash === '') return redirect(base, request.rawQuery);
  const site = await loadLive(id, live, base, ports);
  if ('status' in site) return site;
  const response = site.serve(request);
  // A page in a sandboxed frame, such as a preview, has no origin: its modules and fonts load across origins.
  const changing = deployment && isChanging(deployment, ports.clock());
  const headers = { 'Cache-Control': changing ? CHANGING : CACHED, 'Access-Control-Allow-Origin': '*' };
  return { ...response, headers: { ...headers, ...response.headers } };
}

/** The version that visitors may see, or the page that says why there is none. */
export function openVersion(deployment: Deployment | undefined): Version | SiteResponse {
  if (!deployment) return unknown();
  if (deployment.takenDown) return takenDown(deployment.takenDown.reason);
  return liveVersion(deployment) ?? deleted();
}

/** A version that is no longer there was replaced since the pointer was read: it is read once more. */
async function loadLive(
  id: string,
  live: Version,
  base: string,
  { find, load }: VisitPorts,
): Promise<Site | SiteResponse> {
  try {
    return await load(id, live, base);
  } catch (error) {
    if (!isMissingObject(error)) throw error;
    const next = openVersion(await find(id));
    return 'status' in next ? next : load(id, next, base);
  }
}

function unknown(): SiteResponse {
  return errorResponse(
    404,
    'No such deployment',
    'Nothing is deployed under this address. The address may be mistyped.',
  );
}

function deleted(): SiteResponse {
  return errorResponse(410, 'Deleted', 'Whoever deployed this page has deleted it.');
}

function takenDown(reason: string | undefined): SiteResponse {
  const message = `The operator of this service took this page down${reason ? `: ${reason}` : '.'}`;
  return errorResponse(451, 'Not available', message);
}

/** A path of a site never holds `%`, so decoding what somebody decoded before changes nothing. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}
