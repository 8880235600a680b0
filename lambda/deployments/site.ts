import { createHash } from 'node:crypto';
import { lookup } from 'mrmime';
import { errorPage, listingPage } from './pages.ts';

/** One version of a site, ready to be served. */
export interface Site {
  readonly id: string;
  readonly entry: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** What a visitor asks for. */
export interface SiteRequest {
  /** Decoded, after `/d/<id>/`. */
  readonly path: string;
  /** Whether a person navigates there, rather than a page loading a part of itself. */
  readonly navigation: boolean;
  readonly ifNoneMatch?: string;
}

export interface SiteResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Serves a path of a site. The entry's folder is the root. In this order: the file itself, `index.html` of a
 * folder, the path with `.html`; then the site's own `404.html`, else the entry for navigations (a single-page
 * application finds its own way), else a 404 page. A site without an entry is listed.
 */
export function serveSite(site: Site, request: SiteRequest): SiteResponse {
  const found = resolve(site, request);
  const etag = `"${createHash('sha256').update(found.body).digest('base64url').slice(0, 27)}"`;
  const headers = { 'Content-Type': found.contentType, ETag: etag };
  if (found.status === 200 && matches(request.ifNoneMatch, etag))
    return { status: 304, headers, body: new Uint8Array() };
  return { status: found.status, headers, body: found.body };
}

interface Found {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
}

function resolve(site: Site, { path, navigation }: SiteRequest): Found {
  const root = site.entry.slice(0, site.entry.lastIndexOf('/') + 1);
  const file = (name: string, status = 200): Found | undefined => {
    const body = site.files.get(name);
    return body && { status, contentType: contentTypeOf(name), body };
  };
  if (path === '') return file(site.entry) ?? page(200, listingPage([...site.files.keys()]));
  const folder = path.endsWith('/') ? path : `${path}/`;
  return (
    file(root + path) ??
    file(`${root}${folder}index.html`) ??
    file(`${root}${path}.html`) ??
    file(`${root}404.html`, 404) ??
    (navigation ? file(site.entry) : undefined) ??
    page(404, errorPage('Not found', 'This site has no such page.'))
  );
}

function page(status: number, html: string): Found {
  return { status, contentType: 'text/html; charset=utf-8', body: Buffer.from(html) };
}

/** Text is UTF-8, as it was sent; a name that no table knows is bytes. */
export function contentTypeOf(path: string): string {
  const type = lookup(path) ?? 'application/octet-stream';
  return /^text\/|[/+](json|xml|javascript)$/.test(type) ? `${type}; charset=utf-8` : type;
}

/** RFC 9110, 13.1.2: a list of entity tags or `*`, compared weakly. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
}
