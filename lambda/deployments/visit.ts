import { DEPLOYMENT_ID } from './deployment-id.ts';
import { CACHE_TAG_HEADER, cacheTag } from './edge.ts';
import { errorPage } from './pages.ts';
import type { Pointer } from './pointers.ts';
import { type Site, type SiteRequest, type SiteResponse, serveSite } from './site.ts';

export interface VisitPorts {
  readonly findPointer: (id: string) => Promise<Pointer | undefined>;
  /** The site that a pointer names, from memory when this instance has it. */
  readonly loadSite: (pointer: Pointer) => Promise<Site>;
}

/** What a visitor sends, with the path as it was sent. */
export interface Visit extends Omit<SiteRequest, 'path'> {
  readonly rawPath: string;
  readonly rawQuery: string;
}

/** The edge keeps an answer until the next deploy drops its tag; a browser asks every time, and mostly gets a 304. */
const CACHED = 'public, max-age=0, s-maxage=31536000, must-revalidate';

/** Answers `/d/<id>/…`. */
export async function visit(
  { rawPath, rawQuery, ...request }: Visit,
  ports: VisitPorts,
): Promise<SiteResponse> {
  const [, id = '', slash, path = ''] = /^\/d\/([^/]*)(\/?)(.*)$/s.exec(decode(rawPath)) ?? [];
  const pointer = DEPLOYMENT_ID.test(id) ? await ports.findPointer(id) : undefined;
  if (!pointer) return unknown();
  if (!slash) return withSlash(id, rawQuery);
  const response = serveSite(await ports.loadSite(pointer), { ...request, path });
  const headers = {
    'Cache-Control': CACHED,
    [CACHE_TAG_HEADER]: cacheTag(id),
    'X-Content-Type-Options': 'nosniff',
  };
  return { ...response, headers: { ...headers, ...response.headers } };
}

/**
 * Relative references of a page resolve against its folder, so it must have one. Not cached: the query goes along,
 * and is no part of the cache key.
 */
function withSlash(id: string, rawQuery: string): SiteResponse {
  const location = `/d/${id}/${rawQuery === '' ? '' : `?${rawQuery}`}`;
  return {
    status: 308,
    headers: { Location: location, 'Cache-Control': 'no-store' },
    body: new Uint8Array(),
  };
}

/** Not cached: the id may be deployed the next moment. */
function unknown(): SiteResponse {
  return {
    status: 404,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
    body: Buffer.from(
      errorPage('No such deployment', 'Nothing is deployed here. Check the address, or deploy again.'),
    ),
  };
}

/** A path of a site never holds `%`, so decoding what somebody decoded before changes nothing. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}
