import type { Clock } from '../platform/clock.ts';
import { CACHE_TAG_HEADER, cacheTag } from '../sites/edge.ts';
import { isHashedName, mayBeHashedName } from '../sites/hashed-name.ts';
import { type Conditions, NEVER_STALE, redirect, type SiteResponse } from '../sites/serving/respond.ts';
import type { Site, SiteRequest } from '../sites/serving/site.ts';
import { DEPLOYMENT_ID, type Deployment, replacedVersions, type Version } from '../stored/deployment.ts';
import { ANONYMOUS } from '../stored/deployment-owner.ts';
import { type GateBounds, isHeld } from '../stored/held.ts';
import { notFoundResponse, openVersion, sharedOriginResponse } from '../stored/open-version.ts';
import { admission, type Visitor } from './private-page.ts';
import type { Pointer } from './remembered-pointers.ts';
import { unlessMissing } from './site-store.ts';

/** The pointers and sites of a stage that visits read. */
export interface VisitedStage {
  /** @param again reads the pointer even if this instance remembers it */
  readonly find: (id: string, again?: boolean) => Promise<Pointer>;
  /** Loads a version of a site, from memory if this instance has it. */
  readonly load: (id: string, version: Version, base: string) => Promise<Site>;
  /** Loads a replaced version if it has a file with a hashed name. */
  readonly loadWith: (path: string, id: string, version: Version, base: string) => Promise<Site | undefined>;
  readonly clock: Clock;
  /** `https://*.<siteDomain>` when every deployment has an origin of its own. */
  readonly siteOrigin?: string | undefined;
  /** Undefined if the stage has no gate. */
  readonly bounds?: GateBounds | undefined;
}

/** A visit with its path as it was sent. */
export interface Visit extends Omit<SiteRequest, 'path' | 'reportUrl'> {
  readonly rawPath: string;
  /** The Sec-Fetch-Mode header, which browsers send. */
  readonly fetchMode?: string | undefined;
  readonly visitor: Visitor;
}

/**
 * `/d/<id>/…` under the base URL, or `/own/<id>/…`, which a CloudFront function makes from the deployment's own origin, as it was
 * sent: a redirect repeats what follows the id, so that must begin with a slash.
 */
const PATH = /^\/(d|own)\/([^/]*)((\/?)(.*))$/s;

/**
 * Responds to `/d/<id>/…`, or to `/own/<id>/…` on the deployment's own origin, where browsers are sent to if it has one. Programs get
 * public pages at both.
 */
export async function visit({ rawPath, ...request }: Visit, stage: VisitedStage): Promise<SiteResponse> {
  const [, prefix = '', id = '', rawRest = '', slash = '', sent = ''] = PATH.exec(rawPath) ?? [];
  const path = decoded(sent);
  if (!DEPLOYMENT_ID.test(id) || path === undefined) return notFoundResponse();
  const isOwn = prefix === 'own';
  const shares = !isOwn && stage.siteOrigin !== undefined;
  if (shares && request.fetchMode === 'navigate') return toOwnOrigin(id, rawRest, request, stage.siteOrigin);
  const base = isOwn ? '/' : `/d/${id}/`;
  const reportUrl = `${request.visitor.baseUrl}/report?page=${id}`;
  const target = { id, slash, base, rawRest, isOwn };
  const response = await liveResponse(target, { ...request, path, reportUrl }, stage);
  const common = { [CACHE_TAG_HEADER]: cacheTag(id), 'X-Content-Type-Options': 'nosniff' };
  const headers = { ...common, ...response.headers };
  return { ...response, headers: shares ? sandboxed(headers) : headers };
}

function toOwnOrigin(
  id: string,
  rawRest: string,
  { rawQuery }: Pick<SiteRequest, 'rawQuery'>,
  siteOrigin: string,
): SiteResponse {
  return redirect(siteOrigin.replace('*', id) + (rawRest || '/'), rawQuery);
}

/**
 * Returns the headers of a response for programs. A browser that shows it anyway gives it an opaque origin, and no edge keeps a
 * copy beside those of the page's own origin.
 */
function sandboxed(headers: SiteResponse['headers']): SiteResponse['headers'] {
  const sandbox = 'sandbox allow-scripts allow-forms allow-modals allow-downloads';
  const { 'Content-Security-Policy': own, 'Cache-Control': control } = headers;
  return {
    ...headers,
    'Content-Security-Policy': own === undefined ? sandbox : `${own}, ${sandbox}`,
    'Cache-Control': control === NEVER_STALE ? control : 'no-store',
  };
}

/** The deployment and the place that a visit asks for. */
interface Target {
  readonly id: string;
  /** Empty if the path ends with the id. */
  readonly slash: string;
  readonly base: string;
  /** The path behind the id, as it was sent. */
  readonly rawRest: string;
  /** Whether the deployment has the origin for itself. */
  readonly isOwn: boolean;
}

type PathRequest = SiteRequest & Pick<Visit, 'visitor'>;

async function liveResponse(target: Target, request: PathRequest, stage: VisitedStage): Promise<SiteResponse> {
  const { id, slash, base } = target;
  const first = await stage.find(id);
  const version = openVersion(first.deployment, stage.bounds, request.reportUrl);
  if ('status' in version) return version;
  const instead = privateResponse(first.deployment, target, request, stage);
  if (instead) return instead;
  // Without the slash, relative references of the page would resolve outside of the site.
  if (slash === '') return redirect(base, request.rawQuery);
  const { path } = request;
  const mayBeHashed = mayBeHashedName(path);
  let live = await loadLive(target, first, request, stage);
  // The file of a version that this instance does not know yet, whose page came from another instance.
  if (mayBeHashed && !first.current && !('status' in live || live.site.has(path)))
    live = await loadLive(target, await stage.find(id, true), request, stage);
  if ('status' in live) return live;
  const { deployment } = live.pointer;
  // The pointer was read again, and someone has made the page private.
  const closed = privateResponse(deployment, target, request, stage);
  if (closed) return closed;
  const site = mayBeHashed ? await siteWith(path, id, live, base, stage) : live.site;
  const response = site.serve({ ...request, conditions: conditionsOf(request, deployment) });
  if (deployment?.access) return unshared({ ...response, headers: unlistedHeaders(response.headers) });
  const control = controlOf(response, live, isHashedName(path) && site.has(path), stage.clock());
  // A page in a sandboxed frame, such as a preview, has an opaque origin: its modules and fonts need CORS.
  const headers = { 'Access-Control-Allow-Origin': '*', ...response.headers };
  const listed = deployment && isUnlisted(deployment) ? unlistedHeaders(headers) : headers;
  return { ...response, headers: { ...listed, 'Cache-Control': control } };
}

/** Returns the conditions that the site checks. A copy from before the page was private must not be confirmed. */
function conditionsOf({ conditions }: SiteRequest, deployment: Deployment | undefined): Conditions {
  if (deployment?.access) return {};
  return deployment && isUnlisted(deployment) ? unmarked(conditions) : conditions;
}

/** Returns what a visitor gets in place of a private page; undefined if it is not private, or the visitor may see it. */
function privateResponse(
  deployment: Deployment | undefined,
  { id, rawRest, isOwn }: Target,
  request: PathRequest,
  { clock, siteOrigin }: VisitedStage,
): SiteResponse | undefined {
  if (!deployment?.access) return undefined;
  const { rawQuery, navigation, visitor } = request;
  if (!isOwn && siteOrigin !== undefined) return toOwnOrigin(id, rawRest, request, siteOrigin);
  // Other pages of a shared origin could read it with the visitor's cookie.
  if (!isOwn) return sharedOriginResponse();
  const asked = { id, path: rawRest || '/', rawQuery, navigation };
  const instead = admission(deployment.access, asked, visitor, clock);
  return instead && unshared(instead);
}

function controlOf(response: SiteResponse, { pointer }: Live, hashed: boolean, now: number): string {
  const { deployment } = pointer;
  const secondsLeft =
    deployment?.endsAt === undefined ? undefined : Math.max(0, Math.floor((deployment.endsAt - now) / 1_000));
  return cacheControl(response, pointer, hashed, secondsLeft);
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
  { loadWith, clock, bounds }: VisitedStage,
): Promise<Site> {
  const { deployment } = pointer;
  if (site.has(path) || deployment === undefined || deployment.hashedNames === false) return site;
  for (const version of replacedVersions(deployment, clock())) {
    if (isHeld(deployment, version, bounds)) continue;
    const replaced = await loadWith(path, id, version, base);
    if (replaced) return replaced;
  }
  return site;
}

/** Loads the live version. If its archive is gone, a change came after the pointer was read, which is read again. */
async function loadLive(
  { id, base }: Target,
  pointer: Pointer,
  { reportUrl }: PathRequest,
  { find, load, bounds }: VisitedStage,
): Promise<Live | SiteResponse> {
  const version = openVersion(pointer.deployment, bounds, reportUrl);
  if ('status' in version) return version;
  const site = await load(id, version, base).catch(unlessMissing);
  if (site) return { site, pointer };
  const next = await find(id, true);
  const live = openVersion(next.deployment, bounds, reportUrl);
  return 'status' in live ? live : { site: await load(id, live, base), pointer: next };
}

/** Decodes a path, or returns undefined if it is malformed. Paths of a site never contain `%`, so decoding one twice is harmless. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** The edge serves what it has for a week while the origin fails. */
const STALE_SECONDS = 604_800;

/**
 * Bounds for how long the edge may serve a file with a hashed name without asking whether the deployment still has it. A
 * revalidation a day costs next to nothing.
 */
const HASHED_EDGE_SECONDS = 86_400;

const NOT_SHARED = /\b(no-store|private)\b/i;

/**
 * Returns the Cache-Control of a response of a site. The edge revalidates: with `s-maxage=0` CloudFront asks for every
 * request, does not collapse simultaneous ones, and keeps the response for revalidation and for outages.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/Expiration.html
 * @param hashed whether this is a file whose name contains the hash of its content
 * @param secondsLeft until the deployment expires, after which no edge may have a copy
 */
function cacheControl(
  { status, headers }: Pick<SiteResponse, 'status' | 'headers'>,
  { edgeSeconds, current }: Pick<Pointer, 'edgeSeconds' | 'current'>,
  hashed: boolean,
  secondsLeft = Number.POSITIVE_INFINITY,
): string {
  const own = headers['Cache-Control'];
  if (own !== undefined && NOT_SHARED.test(own)) return own;
  const immutable = hashed && status < 400;
  // A remembered pointer may be outdated, and a deletion invalidates only what the edge has already.
  const seconds = immutable && current ? HASHED_EDGE_SECONDS : edgeSeconds;
  const browser = own ?? (immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=0');
  const kept = Math.min(seconds, secondsLeft);
  return `${browser}, s-maxage=${kept}, stale-if-error=${Math.min(STALE_SECONDS, secondsLeft)}`;
}

/** Returns a response that depends on a cookie or a password as one that no cache may keep or reuse. */
function unshared(response: SiteResponse): SiteResponse {
  return { ...response, headers: { ...response.headers, 'Cache-Control': `private, ${NEVER_STALE}` } };
}

/** Ends the entity tags of such pages, so that the next visit after a claim replaces the copies at the edge, header and all. */
const MARK = '-noindex"';

/** Whether search engines are kept from a page: nobody has claimed it, or it is private. */
function isUnlisted({ owner, access }: Pick<Deployment, 'owner' | 'access'>): boolean {
  return owner === ANONYMOUS || access !== undefined;
}

/** Returns the conditions of a request for such a page as the site knows its entity tags. */
function unmarked({ ifNoneMatch, ifRange, range }: Conditions): Conditions {
  const plain = (tags: string | undefined) => tags?.replaceAll(MARK, '"');
  return { ifNoneMatch: plain(ifNoneMatch), ifRange: plain(ifRange), range };
}

/** Returns the headers of such a page, which its own cannot replace. */
function unlistedHeaders(headers: SiteResponse['headers']): SiteResponse['headers'] {
  const { ETag: etag, ...rest } = headers;
  const others = Object.entries(rest).filter(([name]) => name.toLowerCase() !== 'x-robots-tag');
  return {
    ...Object.fromEntries(others),
    ...(etag === undefined ? {} : { ETag: etag.replace(/"$/, MARK) }),
    'X-Robots-Tag': 'noindex',
  };
}
