import type { Entry } from '../browser-data.ts';

/** Results that are shown. */
const MOST = 30;

/** Returns the entries that contain every word of a query, the best first. An empty query matches all sections. */
export function matches(entries: readonly Entry[], query: string): readonly Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return entries
    .map((entry) => ({ entry, score: score(entry, words) }))
    .filter((one) => one.score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}

function score([id, title, group, more]: Entry, words: readonly string[]): number {
  const isField = /^error-|\./.test(id);
  const name = title.toLowerCase();
  // The last name of a nested field.
  const own = isField ? name.replace(/^.*\./, '') : name;
  const text = `${name} ${group} ${more} ${id}`.toLowerCase();
  if (!words.every((word) => text.includes(word)) || (isField && words.length === 0)) return 0;
  return words.reduce((sum, word) => sum + worth(own, word), isField ? 1 : 2);
}

function worth(name: string, word: string): number {
  if (name === word) return 40;
  if (name.startsWith(word)) return 20;
  return name.includes(` ${word}`) ? 15 : name.includes(word) ? 8 : 0;
}
