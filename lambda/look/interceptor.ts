import type { BrowserContext, Route } from 'playwright-core';
import { escapeHtml } from '../platform/html.ts';
import { DATA_FILE } from '../sites/data/declaration-text.ts';
import { TrialData } from '../sites/data/trial.ts';
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
  /** The text of `_data.json`. */
  readonly #declaration: string | undefined;

  constructor({ files, entry, base }: LookSite) {
    const declaration = files.get(entry.slice(0, entry.lastIndexOf('/') + 1) + DATA_FILE);
    this.#declaration = declaration && Buffer.from(declaration).toString();
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

  /**
   * Puts the pages of a context behind this. The context must block service workers, and accept no downloads.
   * @param now Unix time in milliseconds
   * @returns the data of the site in this context, if it declares some
   */
  async guard(context: BrowserContext, now: number): Promise<TrialData | undefined> {
    const data = TrialData.of(this.#declaration, () => now);
    // A page that is closed meanwhile needs no response.
    const handle = (route: Route) => this.#handle(route, data).catch(() => undefined);
    await context.route(() => true, handle);
    await context.routeWebSocket(
      () => true,
      (socket) => socket.close().catch(() => undefined),
    );
    context.on('page', (page) => {
      page.on('popup', (popup) => void popup.close().catch(() => undefined));
      page.on('download', (download) => void download.cancel().catch(() => undefined));
    });
    return data;
  }

  async #handle(route: Route, data: TrialData | undefined): Promise<void> {
    const request = route.request();
    const url = new URL(request.url());
    if (data && (await this.#fulfillData(route, url, data))) return;
    const isRead = request.method() === 'GET' || request.method() === 'HEAD';
    const navigation = request.isNavigationRequest();
    const answer = isRead ? this.#answer(url, navigation, request.headers().range) : undefined;
    if (answer === undefined) return route.abort('blockedbyclient');
    if (navigation && answer.url.href !== url.href) return redirect(route, answer.url);
    await fulfill(route, answer.response);
  }

  /** Responds to a request for the data of the site. @returns false for any other one */
  async #fulfillData(route: Route, url: URL, data: TrialData): Promise<boolean> {
    if (url.origin !== ORIGIN || !url.pathname.startsWith(this.#base)) return false;
    const request = route.request();
    const mode = request.isNavigationRequest() ? 'navigate' : 'cors';
    const headers = { ...request.headers(), 'sec-fetch-mode': mode };
    const sent = { method: request.method(), headers, body: request.postDataBuffer() ?? new Uint8Array() };
    const response = await data.respond(url, sent, { origin: ORIGIN, base: this.#base });
    if (response === undefined) return false;
    const { Location: location } = response.headers;
    if (location === undefined) await fulfill(route, response);
    else await redirect(route, new URL(location, ORIGIN));
    return true;
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

function fulfill(route: Route, { status, headers, body }: SiteResponse): Promise<void> {
  return route.fulfill({ status, headers: { ...headers }, body: Buffer.from(body) });
}

/** Playwright does not intercept what follows a redirect: https://playwright.dev/docs/api/class-page#page-route */
function redirect(route: Route, { href }: URL): Promise<void> {
  const body = `<meta http-equiv="refresh" content="0;url=${escapeHtml(href)}">`;
  return route.fulfill({ status: 200, contentType: 'text/html', body });
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
