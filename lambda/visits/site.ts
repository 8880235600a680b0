import { losslessText } from '../sites/lossless-text.ts';
import { contentType, type MediaType, mediaType } from '../sites/media-type.ts';
import { rewriteReferences } from '../sites/references/rewrite.ts';
import { byteRange, type Conditions, isNotModified } from './conditions.ts';
import { errorPage, HTML, listingPage } from './pages.ts';
import { isGzip, negotiate, type Representation, representation } from './representation.ts';
import type { SiteResponse } from './site-response.ts';

/** A visit of one path of a site. */
export interface SiteRequest {
  /** Decoded, relative to the site. */
  readonly path: string;
  /** Not decoded, without the `?`. */
  readonly rawQuery: string;
  /** Whether this is a navigation rather than a request for a subresource. */
  readonly navigation: boolean;
  readonly conditions: Conditions;
  /** The Accept-Encoding header. */
  readonly acceptEncoding?: string | undefined;
}

/** Files at the root of a site that configure how it is served. They are not served, but stay in its zip. */
const CONTROL_FILES = ['_redirects', '_headers'];

/**
 * One version of a site, ready to be served. The entry's folder is its root. A path names, in order of precedence, the
 * file at that path, the `index.html` of that folder, or the file with `.html` appended.
 */
export class Site {
  readonly #files: ReadonlyMap<string, Uint8Array>;
  readonly #entry: string;
  readonly #root: string;
  readonly #base: string;
  readonly #served = new Map<string, Representation>();

  /** @param base the path of the site on its origin; begins and ends with a slash */
  constructor(files: ReadonlyMap<string, Uint8Array>, entry: string, base: string) {
    this.#entry = entry;
    this.#root = entry.slice(0, entry.lastIndexOf('/') + 1);
    const control = CONTROL_FILES.map((name) => this.#root + name);
    this.#files = new Map([...files].filter(([name]) => !control.includes(name)));
    this.#base = base;
  }

  /** Returns whether the path is that of a file, which is served as itself: no folder, fallback or control file. */
  has(path: string): boolean {
    return this.#files.has(this.#root + path);
  }

  serve({ path, rawQuery, navigation, conditions, acceptEncoding }: SiteRequest): SiteResponse {
    const file = this.#fileOf(path);
    if (file !== undefined)
      return respond(200, negotiate(this.#representation(file), acceptEncoding), conditions);
    if (this.#isFolder(path)) return this.#withSlash(path, rawQuery);
    if (path === '') return respond(200, page(listingPage(this.#files)), conditions);
    const own = this.#file(`${this.#root}404.html`);
    if (own !== undefined) return respond(404, this.#representation(own), {});
    // A single-page application routes on the client; a missing script must not become a page.
    if (navigation && this.#entry !== '') return respond(200, this.#representation(this.#entry), conditions);
    return respond(404, page(errorPage('Not found', 'This site has no such page.', this.#base)), {});
  }

  #fileOf(path: string): string | undefined {
    if (path === '') return this.#file(this.#entry);
    const name = this.#root + path;
    return (
      this.#file(name) ??
      (path.endsWith('/') ? this.#file(`${name}index.html`) : undefined) ??
      (this.#isFolder(path) ? undefined : this.#file(`${name}.html`))
    );
  }

  /** Returns whether a path needs a slash appended, so that relative references of the folder's page resolve inside it. */
  #isFolder(path: string): boolean {
    return !path.endsWith('/') && this.#file(`${this.#root}${path}/index.html`) !== undefined;
  }

  #file(name: string): string | undefined {
    return this.#files.has(name) ? name : undefined;
  }

  /** Not cached, because the location contains the query, which is not part of the cache key. */
  #withSlash(path: string, rawQuery: string): SiteResponse {
    return redirect(`${this.#base}${path.split('/').map(encodeURIComponent).join('/')}/`, rawQuery);
  }

  #representation(name: string): Representation {
    const known = this.#served.get(name);
    if (known) return known;
    const stored = this.#files.get(name) ?? new Uint8Array();
    const media = mediaType(name, stored);
    const gzipped = /\.svgz$/i.test(name) && isGzip(stored);
    const served = representation(contentType(media), this.#rewritten(stored, media), gzipped);
    this.#served.set(name, served);
    return served;
  }

  #rewritten(stored: Uint8Array, { type, charset }: MediaType): Uint8Array {
    const kind = /^text\/(html|css)$/.exec(type)?.[1] as 'html' | 'css' | undefined;
    if (kind === undefined || this.#base === '/') return stored;
    const page = losslessText(stored, charset);
    if (page === undefined) return stored;
    const exists = (path: string) => this.#exists(path) || this.#exists(page.decode(path));
    const rewritten = rewriteReferences(kind, page.text, this.#base, exists);
    return rewritten === page.text ? stored : page.encode(rewritten);
  }

  #exists(path: string): boolean {
    return this.#fileOf(path) !== undefined || this.#isFolder(path);
  }
}

/** Returns a 308, which keeps the method. */
export function redirect(location: string, rawQuery: string): SiteResponse {
  const headers = {
    Location: location + (rawQuery === '' ? '' : `?${rawQuery}`),
    'Cache-Control': 'no-store',
  };
  return { status: 308, headers, body: new Uint8Array() };
}

function page(html: string): Representation {
  return representation(HTML, Buffer.from(html));
}

function respond(
  status: number,
  { headers: described, etag, body }: Representation,
  conditions: Conditions,
): SiteResponse {
  const headers: Record<string, string> = { ...described, ETag: etag, 'Accept-Ranges': 'bytes' };
  if (isNotModified(conditions, etag)) return { status: 304, headers, body: new Uint8Array() };
  const range = byteRange(conditions, etag, body.length);
  if (range === undefined) return { status, headers, body };
  if (range === 'unsatisfiable') {
    const { 'Content-Encoding': _, ...rest } = headers;
    return {
      status: 416,
      headers: { ...rest, 'Content-Range': `bytes */${body.length}` },
      body: new Uint8Array(),
    };
  }
  const { first, last } = range;
  return {
    status: 206,
    headers: { ...headers, 'Content-Range': `bytes ${first}-${last}/${body.length}` },
    body: body.subarray(first, last + 1),
  };
}
