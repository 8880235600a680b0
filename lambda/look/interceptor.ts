import type { BrowserContext, Route } from 'playwright-core';
import type { SiteResponse } from '../sites/serving/respond.ts';
import { Site } from '../sites/serving/site.ts';

/** The site that a browser opens. */
export interface LookSite {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Path of the page; an empty string if there is none. */
  readonly entry: string;
  /** The path of the site on its origin; begins and ends with a slash. */
  readonly base: string;
}

/** The response of a site after its redirects, with its URL; undefined if they lead elsewhere. */
type Answer = { readonly url: URL; readonly response: SiteResponse } | undefined;

/** A secure context, whose name never resolves: https://www.rfc-editor.org/rfc/rfc6761#section-6.4 */
export const ORIGIN = 'https://page.invalid';

/** The limit of browsers: https://fetch.spec.whatwg.org/#http-redirect-fetch */
const MAX_REDIRECTS = 20;

/**
 * Answers the requests of pages from the files of a site, as visits are answered, and nothing else. It is the first of
 * two layers: what it does not see finds no network (`browser.ts`).
 */
export class Interceptor {
  /** The URL of the page. */
  readonly url: string;
  readonly #site: Site;
  readonly #base: string;

  constructor({ files, entry, base }: LookSite) {
    this.#site = new Site(files, entry, base);
    this.#base = base;
    const home = new URL(base, ORIGIN);
    this.url = (this.#answer(home, true)?.url ?? home).href;
  }

  /**
   * Returns the path of a file for a URL of the site, decoded and relative to the site; undefined for any other URL.
   */
  pathOf(url: string): string | undefined {
    const parsed = URL.parse(url);
    if (parsed?.origin !== ORIGIN || !parsed.pathname.startsWith(this.#base)) return undefined;
    return decoded(parsed.pathname.slice(this.#base.length));
  }

  /** Puts the pages of a context behind this. The context must block service workers, and accept no downloads. */
  async guard(context: BrowserContext): Promise<void> {
    // A page that is closed meanwhile needs no response.
    const handle = (route: Route) => this.#handle(route).catch(() => undefined);
    await context.route(() => true, handle);
    await context.routeWebSocket(
      () => true,
      (socket) => socket.close().catch(() => undefined),
    );
    context.on('page', (page) => {
      page.on('popup', (popup) => void popup.close().catch(() => undefined));
      page.on('download', (download) => void download.cancel().catch(() => undefined));
    });
  }

  async #handle(route: Route): Promise<void> {
    const request = route.request();
    const url = new URL(request.url());
    const isRead = request.method() === 'GET' || request.method() === 'HEAD';
    const navigation = request.isNavigationRequest();
    const answer = isRead ? this.#answer(url, navigation, request.headers().range) : undefined;
    if (answer === undefined) return route.abort('blockedbyclient');
    // Playwright does not intercept what follows a redirect: https://playwright.dev/docs/api/class-page#page-route
    if (navigation && answer.url.href !== url.href) {
      const body = `<meta http-equiv="refresh" content="0;url=${escaped(answer.url.href)}">`;
      return route.fulfill({ status: 200, contentType: 'text/html', body });
    }
    const { status, headers, body } = answer.response;
    await route.fulfill({ status, headers: { ...headers }, body: Buffer.from(body) });
  }

  #answer(from: URL, navigation: boolean, range?: string): Answer {
    let url = from;
    for (let redirects = 0; redirects <= MAX_REDIRECTS && url.origin === ORIGIN; redirects++) {
      const response = this.#serve(url, navigation, range);
      const next = URL.parse(response.headers.Location ?? '', url.href);
      if (response.headers.Location === undefined) return { url, response };
      if (next === null) return undefined;
      url = next;
    }
    return undefined;
  }

  #serve(url: URL, navigation: boolean, range?: string): SiteResponse {
    const path = this.pathOf(url.href);
    // Beside the site are only pages of the service, or of others.
    if (path === undefined) return { status: 404, headers: {}, body: new Uint8Array() };
    return this.#site.serve({ path, rawQuery: url.search.slice(1), navigation, conditions: { range } });
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function escaped(url: string): string {
  return url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
