import type { Page } from './shown-page.ts';

/** Where entries of the history have their path. */
const PATH = '__previewPath';

/**
 * Returns what rewritten scripts use in place of `location`, and lets `history` change its path. The URL of a document with an
 * opaque origin can change its query and fragment only, and routers need the path.
 */
export function installLocation({ url, open, moved }: Page): Location {
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
