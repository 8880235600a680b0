import { LOOK_WIDTHS } from '../contract/looks.ts';
import { CACHE_TAG_HEADER, cacheTag } from '../sites/edge.ts';
import { errorResponse } from '../sites/serving/notice-pages.ts';
import { type Conditions, isNotModified, respond, type SiteResponse } from '../sites/serving/respond.ts';
import type { Deployment } from '../stored/deployment.ts';
import { type GateBounds, isHeld } from '../stored/held.ts';
import { openVersion, privateFileResponse } from '../stored/open-version.ts';
import type { SiteStore } from './site-store.ts';

/** A request for a picture of a page. */
interface PictureRequest {
  /** The id of the deployment. */
  readonly id: string;
  /** Not decoded, without the `?`. */
  readonly rawQuery: string;
  readonly conditions: Conditions;
}

const PATH = /^\/d\/([0-9a-z]{12})\.png$/;

/**
 * The edge keeps a copy, but asks for every request, and serves none instead of an error (RFC 5861, 4): deletions and takedowns
 * hide pictures at once.
 */
const REVALIDATED = 'public, max-age=0, s-maxage=0, stale-if-error=0';

/** Returns the id of the deployment whose picture is at a path, or undefined for another path. */
export function picturedId(rawPath: string): string | undefined {
  return PATH.exec(rawPath)?.[1];
}

/**
 * Responds to `/d/<id>.png` with the page as a browser showed it: of the live version, or of the kept version in the query. The
 * pictures of a version never change, so that its name is enough to respond to a condition.
 * @param bounds undefined if the stage has no gate
 */
export async function picture(
  request: PictureRequest,
  find: (id: string) => Promise<Deployment | undefined>,
  look: SiteStore['look'],
  bounds?: GateBounds | undefined,
): Promise<SiteResponse> {
  const { status, headers, body } = await pictureOf(request, find, look, bounds);
  const common = {
    [CACHE_TAG_HEADER]: cacheTag(request.id),
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Allow-Origin': '*',
  };
  return { status, headers: { ...common, ...headers }, body };
}

async function pictureOf(
  { id, rawQuery, conditions }: PictureRequest,
  find: (id: string) => Promise<Deployment | undefined>,
  look: SiteStore['look'],
  bounds: GateBounds | undefined,
): Promise<SiteResponse> {
  const query = new URLSearchParams(rawQuery);
  const wantedWidth = query.get('width') ?? '1280';
  const width = LOOK_WIDTHS.find((one) => String(one) === wantedWidth);
  if (width === undefined) return errorResponse(400, 'Wrong width', `The width is ${LOOK_WIDTHS.join(' or ')}.`);
  const deployment = await find(id);
  const live = openVersion(deployment, bounds);
  if ('status' in live) return live;
  if (deployment?.access) return privateFileResponse('picture', 'screenshot', id);
  const wanted = query.get('version') ?? live.version;
  const shown = deployment?.versions.find((one) => one.version === wanted);
  if (deployment === undefined || shown === undefined || isHeld(deployment, shown, bounds)) return noPicture();
  const { version } = shown;
  const etag = `"${version}-${width}"`;
  const { ifNoneMatch } = conditions;
  const isKnown = ifNoneMatch?.trim() !== '*' && isNotModified(conditions, etag);
  const body = isKnown ? new Uint8Array() : (await look(id, version))?.screenshots.get(width);
  if (!body) return noPicture();
  const headers = { 'Content-Type': 'image/png', 'Cache-Control': REVALIDATED };
  return respond(200, { body, etag, headers }, conditions);
}

function noPicture(): SiteResponse {
  const message = 'There is no picture of this page: no browser has looked at it yet, or the version does not exist.';
  return errorResponse(404, 'No picture', message);
}
