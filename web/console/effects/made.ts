import type { Store } from '../state/store.ts';
import type { Made } from '../state/types.ts';

const NAME = 'ptp-made';
const MAX_ENTRIES = 100;

/**
 * Keeps the gallery in the storage of the browser. Only for services whose deployed pages have origins of their own: others could
 * read the tokens in it.
 */
export function keepMade(store: Store): void {
  let made = stored();
  store.dispatch({ type: 'loaded', made });
  // Another tab has made something, or forgotten it.
  addEventListener('storage', ({ key }) => {
    if (key !== NAME) return;
    made = stored();
    store.dispatch({ type: 'loaded', made });
  });
  store.subscribe((state) => {
    if (state.made === made) return;
    made = state.made;
    try {
      localStorage.setItem(NAME, JSON.stringify(made.slice(0, MAX_ENTRIES)));
    } catch {
      // Storage can be full or disabled: the page still has the entries.
    }
  });
}

function stored(): readonly Made[] {
  try {
    const made: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]');
    return Array.isArray(made) ? made.filter(isMade) : [];
  } catch {
    return [];
  }
}

/** Whether a value is an entry: the storage may have those of another release. */
function isMade(value: unknown): value is Made {
  const { projectId, name, at, keyed, generation, site } = Object(value) as Partial<Made>;
  const { id, url, version, token } = Object(site ?? {}) as Partial<NonNullable<Made['site']>>;
  const areTexts = (...values: unknown[]) => values.every((text) => typeof text === 'string');
  return (
    areTexts(projectId, name, generation ?? '') &&
    typeof at === 'number' &&
    typeof keyed === 'boolean' &&
    (site === undefined || (areTexts(id, url, version, token ?? '') && isLink(url)))
  );
}

const isLink = (url: string | undefined) => /^https?:\/\//.test(url ?? '');
