import type { Entry } from '../browser-data.ts';

/** Returns at most 30 entries that contain every word of a query, the best first. An empty query matches all sections. */
export function matches(entries: readonly Entry[], query: string): readonly Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = entries.map((entry) => ({ entry, score: score(entry, words) }));
  const found = scored.filter((one) => one.score > 0).toSorted((a, b) => b.score - a.score);
  return found.slice(0, 30).map(({ entry }) => entry);
}

function score([id, title, ...more]: Entry, words: readonly string[]): number {
  const isField = /^error-|\./.test(id);
  const text = [id, title, ...more].join(' ').toLowerCase();
  if (!words.every((word) => text.includes(word)) || (isField && words.length === 0)) return 0;
  // Of a nested field, only its own name.
  const name = title.toLowerCase().replace(isField ? /^.*\./ : '', '');
  return words.reduce((sum, word) => sum + worth(word, name), isField ? 1 : 2);
}

/** Returns what a word adds to the score of an entry with this name. */
function worth(word: string, name: string): number {
  if (name === word) return 40;
  if (name.startsWith(word)) return 20;
  if (name.includes(` ${word}`)) return 15;
  return name.includes(word) ? 8 : 0;
}
