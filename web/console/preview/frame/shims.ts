import type { StorageItems } from '../messages.ts';
import type { PreviewData } from './data.ts';
import { installLocation, type PageLocation } from './location.ts';
import { type Resources, typeOf } from './resources.ts';
import { GLOBAL } from './scripts.ts';
import { memoryStorage } from './storage.ts';

export interface Page extends PageLocation {
  readonly resources: Resources;
  /** What visitors share, if the project declares it. */
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
      const others = cookies
        .split('; ')
        .filter((one) => one !== '' && one.split('=')[0] !== pair.split('=')[0]);
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
    if (!/^(?:GET|HEAD)$/.test(methodOf(input, init)))
      return new Response('This is a static page', { status: 405 });
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
