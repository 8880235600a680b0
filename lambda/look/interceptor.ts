import type { BrowserContext, Page, Request, Route } from 'playwright-core';
import { Site } from '../sites/serving/site.ts';
import type { SiteResponse } from '../sites/serving/site-response.ts';

/** The site that a browser opens. */
export interface LookSite {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Path of the page; an empty string if there is none. */
  readonly entry: string;
  /** The path of the site on its origin; begins and ends with a slash. */
  readonly base: string;
}

/** A request that the page made, and did not get an answer to. */
export interface Unanswered {
  /** Of a file of the site: its path, relative to the site and decoded. Otherwise a URL. */
  readonly target: string;
  /**
   * `missing`: the site has no such file. `elsewhere`: it is on another origin, or not on the web. `method`: the site is only read.
   * `window`: it would have been a window of its own. `download`: it would have been saved.
   */
  readonly why: 'missing' | 'elsewhere' | 'method' | 'window' | 'download';
  /** As Playwright has it: `document`, `script`, `stylesheet`, `image`, `fetch`, `websocket`, …. */
  readonly type: string;
  /** Whether it would have replaced the page. */
  readonly navigation: boolean;
}

/** A secure context, whose name never resolves: https://www.rfc-editor.org/rfc/rfc6761#section-6.4 */
export const ORIGIN = 'https://page.invalid';

/** A page may ask for the same file a million times. */
const MAX_RECORDED = 100;

/** Of one URL: `data:` URLs are megabytes. */
const MAX_TARGET = 2_000;

/** As browsers: https://fetch.spec.whatwg.org/#http-redirect-fetch has 20. */
const MAX_REDIRECTS = 20;

/** Opens no window for a script. A window that a link opens is closed. */
const NO_WINDOWS = 'window.open = function open() { return null; };';

/**
 * Answers the requests of pages from the files of a site, as visits are answered, and nothing else. It is the first of two layers:
 * what it does not see finds no network (`browser.ts`).
 */
export class Interceptor {
  /** The URL of the page. */
  readonly url: string;
  readonly #site: Site;
  readonly #base: string;
  readonly #unanswered = new Map<string, Unanswered>();

  constructor({ files, entry, base }: LookSite) {
    this.#site = new Site(files, entry, base);
    this.#base = base;
    const first = this.#answer(new URL(base, ORIGIN), true, {});
    this.url = 'url' in first ? first.url.href : ORIGIN + base;
  }

  /** What pages asked for in vain since the last call, without repetitions and in the order of the first request. */
  takeUnanswered(): Unanswered[] {
    const taken = [...this.#unanswered.values()];
    this.#unanswered.clear();
    return taken;
  }

  /** Returns the path of a file for a URL of the site, decoded and relative to the site; undefined for any other URL. */
  pathOf(url: string): string | undefined {
    const parsed = URL.parse(url);
    if (parsed?.origin !== ORIGIN || !parsed.pathname.startsWith(this.#base)) return undefined;
    return decoded(parsed.pathname.slice(this.#base.length));
  }

  /** Puts the pages of a context behind this. The context must block service workers, and accept no downloads. */
  async guard(context: BrowserContext): Promise<void> {
    await context.route(
      () => true,
      (route) => this.#handle(route).catch(() => undefined),
    );
    await context.routeWebSocket(
      () => true,
      async (socket) => {
        this.#record({ target: socket.url(), why: 'elsewhere', type: 'websocket', navigation: false });
        await socket.close().catch(() => undefined);
      },
    );
    await context.addInitScript(NO_WINDOWS);
    context.on('page', (page) => this.#watch(page));
  }

  #watch(page: Page): void {
    page.on('download', (download) => {
      this.#record({
        target: this.#target(download.url()),
        why: 'download',
        type: 'document',
        navigation: false,
      });
      void download.cancel().catch(() => undefined);
    });
    // Pages that were not opened by this program have an opener, unless they asked for none.
    page.on('popup', (popup) => {
      this.#record({ target: this.#target(popup.url()), why: 'window', type: 'document', navigation: false });
      void popup.close().catch(() => undefined);
    });
  }

  async #handle(route: Route): Promise<void> {
    const request = route.request();
    const url = URL.parse(request.url());
    const method = request.method();
    if (url === null || url.origin !== ORIGIN) return this.#refuse(route, 'elsewhere');
    if (method !== 'GET' && method !== 'HEAD') return this.#refuse(route, 'method');
    const navigation = request.isNavigationRequest();
    const answer = this.#answer(url, navigation, request.headers());
    if ('left' in answer) return this.#refuse(route, 'elsewhere', answer.left);
    const { response } = answer;
    if (response.status === 404 || (navigation && this.#isFallback(answer.url)))
      this.#recordRequest(request, 'missing', answer.url.href);
    // Playwright does not see what follows a redirect: https://playwright.dev/docs/api/class-page#page-route
    if (navigation && answer.url.href !== url.href) {
      const body = `<meta http-equiv="refresh" content="0;url=${escaped(answer.url.href)}">`;
      return route.fulfill({ status: 200, contentType: 'text/html', body });
    }
    const { status, headers, body } = response;
    await route.fulfill({ status, headers: { ...headers }, body: Buffer.from(body) });
  }

  /** Returns the response of the site after its redirects, and the URL that it is at; or the URL elsewhere that they lead to. */
  #answer(
    from: URL,
    navigation: boolean,
    headers: Readonly<Record<string, string>>,
  ): { readonly url: URL; readonly response: SiteResponse } | { readonly left: string } {
    let url = from;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      if (url.origin !== ORIGIN) return { left: url.href };
      const response = this.#serve(url, navigation, headers.range);
      const location = response.headers.Location;
      if (location === undefined) return { url, response };
      url = URL.parse(location, url.href) ?? new URL('invalid:');
    }
    return { left: url.href };
  }

  #serve(url: URL, navigation: boolean, range?: string): SiteResponse {
    const path = this.pathOf(url.href);
    // On the origin of the service, other paths are not the site's.
    if (path === undefined) return { status: 404, headers: {}, body: new Uint8Array() };
    return this.#site.serve({ path, rawQuery: url.search.slice(1), navigation, conditions: { range } });
  }

  /** Returns whether a navigation gets another page because its own is missing. */
  #isFallback(url: URL): boolean {
    return !this.#site.has('200.html') && this.#serve(url, false).status === 404;
  }

  async #refuse(route: Route, why: Unanswered['why'], url?: string): Promise<void> {
    this.#recordRequest(route.request(), why, url ?? route.request().url());
    await route.abort('blockedbyclient');
  }

  #recordRequest(request: Request, why: Unanswered['why'], url: string): void {
    const navigation = request.isNavigationRequest() && request.frame().parentFrame() === null;
    this.#record({ target: this.#target(url), why, type: request.resourceType(), navigation });
  }

  #target(url: string): string {
    return this.pathOf(url) ?? url;
  }

  #record({ target, ...rest }: Unanswered): void {
    const unanswered = { target: target.slice(0, MAX_TARGET), ...rest };
    const key = JSON.stringify(unanswered);
    if (this.#unanswered.size < MAX_RECORDED) this.#unanswered.set(key, unanswered);
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
