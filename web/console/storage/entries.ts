import type { GalleryEntry } from '../state/types.ts';

/** Each entry is an item of its own, so that tabs do not overwrite each other's. */
const PREFIX = 'ptp-project:';
/** The list of releases before 1.0. */
const OLD_NAME = 'ptp-made';
const MAX_ENTRIES = 300;

/** Whether a change of the storage is one of the entries. @param key null if the storage was cleared */
export const isEntryKey = (key: string | null) => key === null || key.startsWith(PREFIX);

/** Returns the entries, those that were changed last first. */
export function readEntries(storage: Storage): readonly GalleryEntry[] {
  moveOldEntries(storage);
  return Object.keys(storage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => parse(storage.getItem(key)))
    .filter(isGalleryEntry)
    .toSorted((a, b) => changedAt(b) - changedAt(a));
}

/** Stores what is different. Of too many entries, it removes the oldest, at first without a page. @throws DOMException */
export function writeEntries(storage: Storage, before: readonly GalleryEntry[], after: readonly GalleryEntry[]): void {
  const ids = new Set(after.map(({ projectId }) => projectId));
  for (const { projectId } of before) if (!ids.has(projectId)) storage.removeItem(PREFIX + projectId);
  const surplus = new Set(surplusOf(after));
  for (const entry of after) {
    if (surplus.has(entry)) storage.removeItem(PREFIX + entry.projectId);
    else if (!before.includes(entry)) storage.setItem(PREFIX + entry.projectId, JSON.stringify(entry));
  }
}

/** Deletes what an earlier configuration of the service kept. */
export function clearEntries(storage: Storage): void {
  for (const key of Object.keys(storage)) if (key.startsWith(PREFIX) || key === OLD_NAME) storage.removeItem(key);
}

function surplusOf(entries: readonly GalleryEntry[]): readonly GalleryEntry[] {
  if (entries.length <= MAX_ENTRIES) return [];
  const worth = ({ site }: GalleryEntry) => (site ? 1 : 0);
  return entries.toSorted((a, b) => worth(b) - worth(a) || changedAt(b) - changedAt(a)).slice(MAX_ENTRIES);
}

const changedAt = ({ keptAt, at }: GalleryEntry) => Math.max(keptAt ?? 0, at);

function moveOldEntries(storage: Storage): void {
  const old = parse(storage.getItem(OLD_NAME));
  if (!Array.isArray(old)) return;
  writeEntries(storage, [], old.filter(isGalleryEntry));
  storage.removeItem(OLD_NAME);
}

function parse(json: string | null): unknown {
  try {
    return JSON.parse(json ?? 'null');
  } catch {
    return undefined;
  }
}

/** Whether a value is an entry: the storage may have those of another release. */
function isGalleryEntry(value: unknown): value is GalleryEntry {
  const { projectId, name, at, keyed, keptAt, generation, site, seen } = Object(value) as Partial<GalleryEntry>;
  const page = Object(site ?? {}) as Partial<NonNullable<GalleryEntry['site']>>;
  const { id, url, version, token, access, expiresAt } = page;
  const areTexts = (...values: unknown[]) => values.every((text) => typeof text === 'string');
  const areNumbers = (...values: unknown[]) => values.every((number) => typeof number === 'number');
  return (
    areTexts(projectId, name, generation ?? '', seen ?? '') &&
    areNumbers(at, keptAt ?? 0, expiresAt ?? 0) &&
    typeof keyed === 'boolean' &&
    (site === undefined || (areTexts(id, url, version, token ?? '', access ?? '') && isLink(url)))
  );
}

const isLink = (url: string | undefined) => /^https?:\/\//.test(url ?? '');
