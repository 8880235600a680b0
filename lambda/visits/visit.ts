import type { Clock } from '../platform/clock.ts';
import { CACHE_TAG_HEADER, cacheTag } from '../sites/edge.ts';
import { isHashedName, mayBeHashedName } from '../sites/hashed-name.ts';
import { errorResponse } from '../sites/serving/notice-pages.ts';
import { redirect, type Site, type SiteRequest } from '../sites/serving/site.ts';
import type { SiteResponse } from '../sites/serving/site-response.ts';
import { type Deployment, liveVersion, replacedVersions, type Version } from '../stored/deployment.ts';
import { DEPLOYMENT_ID } from '../stored/deployment-id.ts';
import { cacheControl } from './cache-control.ts';
import type { Pointer } from './pointers.ts';
import { unlessMissing } from './site-cache.ts';

export interface VisitPorts {
  /** @param again reads the pointer even if this instance remembers it */
  readonly find: (id: string, again?: boolean) => Promise<Pointer>;
  /** Loads a version of a site, from memory if this instance has it. */
  readonly load: (id: string, version: Version, base: string) => Promise<Site>;
  /** Loads a replaced version if it has a file with a hashed name. */
  readonly loadWith: (path: string, id: string, version: Version, base: string) => Promise<Site | undefined>;
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

/** Responds to `/d/<id>/…`, or to `/own/<id>/…` on the deployment's own origin. */
export async function visit({ rawPath, ...request }: Visit, ports: VisitPorts): Promise<SiteResponse> {
  const [, prefix = '', id = '', slash = '', path = ''] = PATH.exec(decode(rawPath)) ?? [];
  if (!DEPLOYMENT_ID.test(id)) return notFoundResponse();
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
  const first = await ports.find(id);
  const version = openVersion(first.deployment);
  if ('status' in version) return version;
  // Without the slash, relative references of the page would resolve outside of the site.
  if (slash === '') return redirect(base, request.rawQuery);
  const { path } = request;
  const mayBeHashed = mayBeHashedName(path);
  let live = await loadLive(id, first, base, ports);
  // The file of a version that this instance does not know yet, whose page came from another instance.
  if (mayBeHashed && !first.current && !('status' in live || live.site.has(path)))
    live = await loadLive(id, await ports.find(id, true), base, ports);
  if ('status' in live) return live;
  const site = mayBeHashed ? await siteWith(path, id, live, base, ports) : live.site;
  const response = site.serve(request);
  const control = cacheControl(response, live.pointer, isHashedName(path) && site.has(path));
  // A page in a sandboxed frame, such as a preview, has an opaque origin: its modules and fonts need CORS.
  return {
    ...response,
    headers: { 'Access-Control-Allow-Origin': '*', ...response.headers, 'Cache-Control': control },
  };
}

interface Live {
  readonly site: Site;
  readonly pointer: Pointer;
}

/**
 * Returns the version that has a file with a hashed name: the last one whose pages may be open and load their parts later,
 * if the live version lacks it. Otherwise the live version.
 */
async function siteWith(
  path: string,
  id: string,
  { site, pointer }: Live,
  base: string,
  { loadWith, clock }: VisitPorts,
): Promise<Site> {
  const { deployment } = pointer;
  if (site.has(path) || deployment === undefined || deployment.hashedNames === false) return site;
  for (const version of replacedVersions(deployment, clock())) {
    const replaced = await loadWith(path, id, version, base);
    if (replaced) return replaced;
  }
  return site;
}

/** Returns the version that visitors may see, or the page that says why there is none. */
export function openVersion(deployment: Deployment | undefined): Version | SiteResponse {
  if (!deployment) return notFoundResponse();
  if (deployment.takenDown) return takenDownResponse(deployment.takenDown.reason);
  return liveVersion(deployment) ?? deletedResponse();
}

/** Loads the live version. If its archive is gone, a change came after the pointer was read, which is read again. */
async function loadLive(
  id: string,
  pointer: Pointer,
  base: string,
  { find, load }: VisitPorts,
): Promise<Live | SiteResponse> {
  const version = openVersion(pointer.deployment);
  if ('status' in version) return version;
  const site = await load(id, version, base).catch(unlessMissing);
  if (site) return { site, pointer };
  const next = await find(id, true);
  const live = openVersion(next.deployment);
  return 'status' in live ? live : { site: await load(id, live, base), pointer: next };
}

function notFoundResponse(): SiteResponse {
  return errorResponse(
    404,
    'No such deployment',
    'Nothing is deployed under this address. The address may be mistyped.',
  );
}

function deletedResponse(): SiteResponse {
  return errorResponse(410, 'Deleted', 'The owner of this page has deleted it.');
}

function takenDownResponse(reason: string | undefined): SiteResponse {
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
