import { losslessText } from '../charset.ts';
import { mayBeHashedName } from '../hashed-name.ts';
import { contentType, type MediaType, mediaType } from '../media-type.ts';
import { rewriteReferences } from '../references/html.ts';
import { type HeaderRules, headersOf, readHeaders } from '../rules/headers.ts';
import { type Outcome, type RedirectRule, readRedirects, redirectOf } from '../rules/redirects.ts';
import { errorPage, listingPage } from './notice-pages.ts';
import {
  BY_QUERY,
  type Conditions,
  isGzip,
  negotiate,
  page,
  type Representation,
  redirect,
  representation,
  respond,
  type SiteResponse,
} from './respond.ts';

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
  /** Where a visitor can report the site. */
  readonly reportUrl?: string | undefined;
}

/** Files at the root of a site that configure how it is served. They are not served, but stay in its zip. */
const CONTROL_FILES = ['_redirects', '_headers', '_data.json'];

/** Browsers ask for it on their own, and log a 404 as an error of the page. */
const ICON = 'favicon.ico';

/** Matches the path of a file, not a route of an application such as `/people/jane.doe`. */
const FILE_NAME =
  /\.(?:html?|php|aspx?|jsp|css|m?js|json|map|wasm|xml|txt|md|csv|pdf|docx?|xlsx?|pptx?|zip|gz|png|jpe?g|gif|webp|avif|svg|ico|woff2?|ttf|otf|mp[34]|webm|ogg|wav|webmanifest)$/i;

/** Paths that belong to the service where sites share its origin. */
const OF_SERVICE = /^(?:api|d)\//;

/** A page may have 100,000 references, each of which is compared with each of up to 1,000 rules. */
const MAX_COMPARED = 100_000;

/**
 * One version of a site, ready to be served. The entry's folder is its root. A path names, in order of precedence:
 *
 * 1. what a rule of `_redirects` says that is forced;
 * 2. the file at that path, the `index.html` of that folder, or the file with `.html` appended, to which a slash too
 *    many is redirected;
 * 3. what another rule of `_redirects` says; rewriting a path happens once;
 * 4. for a navigation, `200.html`, which is the fallback of a single-page application
 *    (https://surge.sh/docs/platform/spa-routing: it precedes `404.html`);
 * 5. `404.html`, with that status, unless a browser asks for an icon on its own, which gets an empty response;
 * 6. for a navigation to what is not the name of a file, the entry.
 *
 * Files get the headers of `_headers`, by the path of the request. Only the file at that path gets Cache-Control from
 * there: on another page in its place, it would keep the file out of browsers once it exists.
 */
export class Site {
  readonly #files: ReadonlyMap<string, Uint8Array>;
  readonly #entry: string;
  readonly #root: string;
  readonly #base: string;
  readonly #redirects: readonly RedirectRule[];
  readonly #headers: HeaderRules;
  readonly #served = new Map<string, Representation>();
  /** Whether a rule applies to a path that a page refers to. */
  readonly #ruled = new Map<string, boolean>();

  /** @param base the path of the site on its origin; begins and ends with a slash */
  constructor(files: ReadonlyMap<string, Uint8Array>, entry: string, base: string) {
    this.#entry = entry;
    this.#root = entry.slice(0, entry.lastIndexOf('/') + 1);
    const control = CONTROL_FILES.map((name) => this.#root + name);
    const [redirects = '', headers = ''] = control;
    this.#redirects = readRedirects(files.get(redirects));
    this.#headers = readHeaders(files.get(headers));
    this.#files = new Map([...files].filter(([name]) => !control.includes(name)));
    this.#base = base;
  }

  /** Returns whether the path is that of a file, which is served as itself: no folder, fallback or control file. */
  has(path: string): boolean {
    return this.#files.has(this.#root + path);
  }

  /** Returns the paths of the files whose names may be hashed. */
  hashedNames(): string[] {
    return [...this.#files.keys()]
      .filter((name) => name.startsWith(this.#root))
      .map((name) => name.slice(this.#root.length))
      .filter(mayBeHashedName);
  }

  /** The response has a Cache-Control only if the site sets one, or if it must not be cached. */
  serve(request: SiteRequest): SiteResponse {
    const { path, rawQuery } = request;
    const exists = this.#exists(path);
    const { outcome, byQuery } = redirectOf(this.#redirects, { path, rawQuery, exists }, this.#base);
    const response = (outcome && this.#byRule(outcome, request)) ?? this.#byFile(request);
    return byQuery ? { ...response, headers: { ...response.headers, ...BY_QUERY } } : response;
  }

  /** Returns undefined if the target of a rewrite does not exist. */
  #byRule(outcome: Outcome, request: SiteRequest): SiteResponse | undefined {
    if ('location' in outcome) return redirect(outcome.location, '', outcome.status);
    const target = this.#isFolder(outcome.path) ? `${outcome.path}/` : outcome.path;
    const file = this.#fileOf(target);
    return file === undefined ? undefined : this.#respond(outcome.status, file, request);
  }

  #byFile(request: SiteRequest): SiteResponse {
    const { path, rawQuery, navigation, conditions, reportUrl } = request;
    const file = this.#fileOf(path);
    if (file !== undefined) return this.#respond(200, file, request, 'own');
    if (this.#isFolder(path)) return this.#redirectTo(`${path}/`, rawQuery);
    if (this.#isPageWithSlash(path)) return this.#redirectTo(path.slice(0, -1), rawQuery);
    if (path === '') {
      const listing = page(listingPage(this.#files, reportUrl));
      return { ...respond(200, listing, conditions), served: { path, isFile: true } };
    }
    // A missing script must not become a page.
    const application = navigation ? this.#file(`${this.#root}200.html`) : undefined;
    if (application !== undefined) return this.#respond(200, application, request);
    if (path === ICON && !navigation) return withoutContent(path);
    const own = this.#file(`${this.#root}404.html`);
    if (own !== undefined) return this.#respond(404, own, request);
    if (navigation && this.#entry !== '' && !FILE_NAME.test(path)) return this.#respond(200, this.#entry, request);
    const links = { home: this.#base, report: reportUrl };
    const notFound = page(errorPage('Not found', 'This site has no such page.', links));
    return { ...respond(404, notFound, {}), served: { path, isFile: false } };
  }

  /** @param own whether the file is the one at the path of the request */
  #respond(status: number, name: string, request: SiteRequest, own?: 'own'): SiteResponse {
    const { path, conditions, acceptEncoding } = request;
    const representation = negotiate(this.#representation(name), acceptEncoding);
    const response = respond(status, representation, status >= 400 ? {} : conditions);
    const { 'Cache-Control': cacheControl, ...headers } = headersOf(this.#headers, path);
    const caching = own && cacheControl !== undefined ? { 'Cache-Control': cacheControl } : {};
    return {
      ...response,
      headers: { ...headers, ...caching, ...response.headers },
      served: { path, isFile: own !== undefined },
    };
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

  /** Returns whether a path without its slash is a page, whose relative references begin beside it. */
  #isPageWithSlash(path: string): boolean {
    return path.endsWith('/') && this.#file(`${this.#root}${path.slice(0, -1)}.html`) !== undefined;
  }

  #redirectTo(path: string, rawQuery: string): SiteResponse {
    return redirect(`${this.#base}${path.split('/').map(encodeURIComponent).join('/')}`, rawQuery);
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
    const exists = (path: string) => this.#serves(path) || this.#serves(page.decode(path));
    const rewritten = rewriteReferences(kind, page.text, this.#base, exists);
    return rewritten === page.text ? stored : page.encode(rewritten);
  }

  #exists(path: string): boolean {
    return this.#fileOf(path) !== undefined || this.#isFolder(path);
  }

  /** Returns whether a file or a rule answers a path. A rule for all paths does not claim those of the service. */
  #serves(path: string): boolean {
    return this.#exists(path) || (!OF_SERVICE.test(path) && this.#isRuled(path));
  }

  #isRuled(path: string): boolean {
    const known = this.#ruled.get(path);
    const compared = this.#ruled.size * this.#redirects.length;
    if (known !== undefined || compared > MAX_COMPARED) return known ?? false;
    const { outcome } = redirectOf(this.#redirects, { path, rawQuery: '', exists: false }, this.#base);
    this.#ruled.set(path, outcome !== undefined);
    return outcome !== undefined;
  }
}

/** Returns the response that says that there is nothing at a path. */
function withoutContent(path: string): SiteResponse {
  return { status: 204, headers: {}, body: new Uint8Array(), served: { path, isFile: false } };
}
