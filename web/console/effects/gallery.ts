import type { Store } from '../state/store.ts';
import type { GalleryEntry } from '../state/types.ts';

const NAME = 'ptp-made';
const MAX_ENTRIES = 100;

/**
 * Keeps the gallery in the storage of the browser. Only for services whose deployed pages have origins of their own: others could
 * read the tokens in it.
 */
export function keepGallery(store: Store): void {
  let gallery = readGallery();
  store.dispatch({ type: 'loaded', gallery });
  // Another tab has made something, or forgotten it.
  addEventListener('storage', ({ key }) => {
    if (key !== NAME) return;
    gallery = readGallery();
    store.dispatch({ type: 'loaded', gallery });
  });
  store.subscribe((state) => {
    if (state.gallery === gallery) return;
    gallery = state.gallery;
    try {
      localStorage.setItem(NAME, JSON.stringify(gallery.slice(0, MAX_ENTRIES)));
    } catch {
      // Storage can be full or disabled: the page still has the entries.
    }
  });
}

function readGallery(): readonly GalleryEntry[] {
  try {
    const gallery: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]');
    return Array.isArray(gallery) ? gallery.filter(isGalleryEntry) : [];
  } catch {
    return [];
  }
}

/** Whether a value is an entry: the storage may have those of another release. */
function isGalleryEntry(value: unknown): value is GalleryEntry {
  const { projectId, name, at, keyed, generation, site, seen } = Object(value) as Partial<GalleryEntry>;
  const { id, url, version, token } = Object(site ?? {}) as Partial<NonNullable<GalleryEntry['site']>>;
  const areTexts = (...values: unknown[]) => values.every((text) => typeof text === 'string');
  return (
    areTexts(projectId, name, generation ?? '', seen ?? '') &&
    typeof at === 'number' &&
    typeof keyed === 'boolean' &&
    (site === undefined || (areTexts(id, url, version, token ?? '') && isLink(url)))
  );
}

const isLink = (url: string | undefined) => /^https?:\/\//.test(url ?? '');
