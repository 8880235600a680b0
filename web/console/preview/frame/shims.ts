import type { StorageItems } from '../messages.ts';
import type { PreviewData } from './data.ts';
import { type Resources, typeOf } from './resources.ts';
import { GLOBAL } from './scripts.ts';

export interface Page extends PageLocation {
  readonly resources: Resources;
  /** The data of visitors, if the project declares any. */
  readonly data: PreviewData | undefined;
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: true, writable: true });
}

/** Replaces what documents of an opaque origin, or all documents in frames, cannot use. */
export function installShims(page: Page): void {
  const own = installLocation(page);
  define(window, GLOBAL, {
    location: own,
    at: (value: unknown) => (value === window.location ? own : value),
    resolve: (specifier: unknown, base: string) =>
      page.resources.project.localUrl(String(specifier), base)?.href ?? String(specifier),
  });
  installFetch(page);
  let cookies = '';
  Object.defineProperty(document, 'cookie', {
    get: () => cookies,
    set: (cookie: string) => {
      const [pair = ''] = String(cookie).split(';');
      const others = cookies.split('; ').filter((one) => one !== '' && one.split('=')[0] !== pair.split('=')[0]);
      cookies = [...others, pair.trim()].join('; ').slice(0, 4_096);
    },
  });
  // Browsers show no dialogs of frames of another origin. The visitor of a preview agrees.
  define(window, 'alert', () => {});
  define(window, 'confirm', () => true);
  define(window, 'prompt', (_: string, value = '') => value);
  // The console takes a focus back that its user did not give.
  define(window, 'focus', () => {});
  // It throws when it is read.
  define(Navigator.prototype, 'serviceWorker', undefined);
  const { Worker } = window;
  const workerUrl = (url: string | URL) => page.resources.at(String(url), page.url) ?? String(url);
  define(
    window,
    'Worker',
    class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(workerUrl(url), options);
      }
    },
  );
}

/** Gives the page a `localStorage` and a `sessionStorage` in memory, and hands their items to `save` after changes. */
export function installStorage(
  local: StorageItems,
  session: StorageItems,
  save: (local: StorageItems, session: StorageItems) => void,
): void {
  let waiting = false;
  const changed = () => {
    if (waiting) return;
    waiting = true;
    queueMicrotask(() => {
      waiting = false;
      save(Object.entries(storages[0]), Object.entries(storages[1]));
    });
  };
  const storages = [memoryStorage(local, changed), memoryStorage(session, changed)] as const;
  define(window, 'localStorage', storages[0]);
  define(window, 'sessionStorage', storages[1]);
}

const methodOf = (input: RequestInfo | URL, init?: RequestInit) =>
  (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();

function installFetch({ url: pageUrl, resources, data }: Page): void {
  const { project } = resources;
  const { fetch } = window;
  define(window, 'fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const url = project.localUrl(input instanceof Request ? input.url : String(input), pageUrl);
    if (url === undefined) return fetch(input, init);
    if (data?.has(url)) return data.respond(url, new Request(input instanceof Request ? input : url, init));
    if (!/^(?:GET|HEAD)$/.test(methodOf(input, init))) return new Response('This is a static page', { status: 405 });
    const file = project.fileAt(url);
    if (file === undefined) return new Response('Not found', { status: 404 });
    const body = methodOf(input, init) === 'HEAD' ? null : (project.content(file) as BodyInit);
    const response = new Response(body, {
      headers: { 'Content-Type': typeOf(file) || 'application/octet-stream' },
    });
    Object.defineProperty(response, 'url', { value: url.href });
    return response;
  });
  const { open } = XMLHttpRequest.prototype;
  define(
    XMLHttpRequest.prototype,
    'open',
    function (this: XMLHttpRequest, method: string, url: string | URL, ...rest: [boolean?]) {
      return open.call(this, method, resources.at(String(url), pageUrl) ?? url, rest[0] ?? true);
    },
  );
}

/** Where a page is, and how it goes elsewhere. */
interface PageLocation {
  /** The URL that the page would have on an origin of its own. */
  readonly url: string;
  /** Shows another page of the project. */
  readonly open: (url: string) => void;
  /** Is told of the URL that a script went to without loading a page. */
  readonly moved: (url: string) => void;
}

/** Where entries of the history have their path. */
const PATH = '__previewPath';

/**
 * Returns what rewritten scripts use in place of `location`, and lets `history` change its path. The URL of a document with an
 * opaque origin can change its query and fragment only, and routers need the path.
 */
function installLocation({ url, open, moved }: PageLocation): Location {
  const first = new URL(url).pathname;
  const pathNow = () => String(Object(history.state)[PATH] ?? first);
  const hrefNow = () => location.origin + pathNow() + location.search + location.hash;
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name];
    Object.defineProperty(history, name, {
      configurable: true,
      writable: true,
      value: (state: unknown, unused: string, to?: string | URL | null) => {
        const target = new URL(to ?? hrefNow(), hrefNow());
        const isReachable = target.origin === location.origin;
        const reachable = isReachable ? `${location.pathname}${target.search}${target.hash}` : to;
        const path = isReachable ? target.pathname : pathNow();
        original.call(history, path === first ? state : withPath(state, path), unused, reachable);
        moved(hrefNow());
      },
    });
  }
  addEventListener('popstate', () => moved(hrefNow()));
  return locationOf(hrefNow, (target) => open(new URL(String(target), hrefNow()).href));
}

/** Returns a state with the path. Others than objects cannot have it, and pages without routers use those. */
function withPath(state: unknown, path: string): unknown {
  const isObject = state == null || (typeof state === 'object' && !Array.isArray(state));
  return isObject ? { ...state, [PATH]: path } : state;
}

function locationOf(href: () => string, follow: (target: unknown) => void): Location {
  const own = {
    assign: follow,
    replace: follow,
    reload: () => follow(href()),
    toString: href,
    get href() {
      return href();
    },
    set href(target: string) {
      follow(target);
    },
    get pathname() {
      return new URL(href()).pathname;
    },
  };
  return new Proxy(own, {
    get: (target, key) => Reflect.get(key in target ? target : location, key),
    set: (_, key, value) => Reflect.set(key === 'href' ? own : location, key, value),
  }) as unknown as Location;
}

/** The most characters that are handed from page to page, the limit of browsers. */
const MAX_STORED = 5_000_000;

/** Returns a `Storage` in memory. Its items are properties too. */
function memoryStorage(items: StorageItems, changed: () => void): Storage {
  const map = new Map(items);
  const set = (key: string, value: string) => {
    let size = key.length + value.length;
    for (const [other, text] of map) if (other !== key) size += other.length + text.length;
    if (size > MAX_STORED) throw new DOMException('The storage is full', 'QuotaExceededError');
    map.set(key, value);
    changed();
  };
  const methods = {
    getItem: (key: string) => map.get(String(key)) ?? null,
    setItem: (key: string, value: string) => set(String(key), String(value)),
    removeItem: (key: string) => map.delete(String(key)) && changed(),
    clear() {
      map.clear();
      changed();
    },
    key: (index: number) => [...map.keys()][index] ?? null,
  };
  return new Proxy(methods as unknown as Storage, {
    get: (target, key) => {
      if (key === 'length') return map.size;
      return Reflect.get(target, key) ?? (typeof key === 'string' ? map.get(key) : undefined);
    },
    set: (_, key, value) => {
      set(String(key), String(value));
      return true;
    },
    has: (target, key) => key in target || map.has(String(key)),
    deleteProperty: (_, key) => {
      if (map.delete(String(key))) changed();
      return true;
    },
    ownKeys: () => [...map.keys()],
    getOwnPropertyDescriptor: (_, key) => {
      const value = map.get(String(key));
      return value === undefined ? undefined : { value, enumerable: true, configurable: true, writable: true };
    },
  });
}
