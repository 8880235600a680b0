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
  /** Loads a version of a site, from memory if this instance has it. */
  readonly load: (id: string, version: Version, base: string) => Promise<Site>;
  readonly clock: Clock;
  /** `https://*.<siteDomain>` when every deployment has an origin of its own. */
  readonly siteOrigin?: string | undefined;
}

/** A visit with its path as it was sent. */
export interface Visit extends Omit<SiteRequest, 'path'> {
  readonly rawPath: string;
}

/** `/d/<id>/…` under the base URL, or `/own/<id>/…`, which a CloudFront function makes from the deployment's own origin. */
const PATH = /^\/(d|own)\/([^/]*)(\/?)(.*)$/s;

/**
 * The edge caches a response until the next change invalidates its tag, and serves it for a week while the origin fails.
 * A day bounds the life of a response that was in flight during the invalidation. Browsers revalidate every time.
 */
const CACHED = 'public, max-age=0, s-maxage=86400, stale-if-error=604800';

/** Nothing is cached while a change is announced, so that old and new files are never mixed. */
const CHANGING = 'no-cache, stale-if-error=0';

/** Responds to `/d/<id>/…`, or to `/own/<id>/…` on the deployment's own origin. */
export async function visit({ rawPath, ...request }: Visit, ports: VisitPorts): Promise<SiteResponse> {
  const [, prefix = '', id = '', slash = '', path = ''] = PATH.exec(decode(rawPath)) ?? [];
  if (!DEPLOYMENT_ID.test(id)) return unknown();
  if (prefix === 'd' && ports.siteOrigin !== undefined)
    return redirect(
      `${ports.siteOrigin.replace('*', id)}/${rawPath.slice(`/d/${id}/`.length)}`,
      request.rawQuery,
    );
  const base = prefix === 'own' ? '/' : `/d/${id}/`;
  const response = await liveResponse(id, slash, base, { ...request, path }, ports);
  const common = { [CACHE_TAG_HEADER]: cacheTag(id), 'X-Content-Type-Options': 'nosniff' };
  return { ...response, headers: { ...common, ...response.headers } };
}

async function liveResponse(
  id: string,
  slash: string,
  base: string,
  request: SiteRequest,
  ports: VisitPorts,
): Promise<SiteResponse> {
  const deployment = await ports.find(id);
  const live = openVersion(deployment);
  if ('status' in live) return live;
  // Without the slash, relative references of the page would resolve outside of the site.
  if (slash === '') return redirect(base, request.rawQuery);
  const site = await loadLive(id, live, base, ports);
  if ('status' in site) return site;
  const response = site.serve(request);
  // A page in a sandboxed frame, such as a preview, has an opaque origin: its modules and fonts need CORS.
  const changing = deployment && isChanging(deployment, ports.clock());
  const headers = { 'Cache-Control': changing ? CHANGING : CACHED, 'Access-Control-Allow-Origin': '*' };
  return { ...response, headers: { ...headers, ...response.headers } };
}

/** Returns the version that visitors may see, or the page that says why there is none. */
export function openVersion(deployment: Deployment | undefined): Version | SiteResponse {
  if (!deployment) return unknown();
  if (deployment.takenDown) return takenDown(deployment.takenDown.reason);
  return liveVersion(deployment) ?? deleted();
}

/** Loads the live version. If its archive is gone, a change came after the pointer was read, which is read again. */
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
  return errorResponse(410, 'Deleted', 'The owner of this page has deleted it.');
}

function takenDown(reason: string | undefined): SiteResponse {
  const message = `The operator of this service took this page down${reason ? `: ${reason}` : '.'}`;
  return errorResponse(451, 'Not available', message);
}

/** Decodes a path. Paths of a site never contain `%`, so decoding one twice is harmless. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}
