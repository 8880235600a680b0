// In the text, not in code, and not the sign of a heading: “#work” but not “# Work” or “C#”.
const TAG = /(?<![\p{L}\p{N}#&/])#(\p{L}[\p{L}\p{N}_-]*)/gu;

/** The tags of some Markdown texts with the number of texts that have each, the most frequent first. */
export function countTags(texts) {
  const counts = new Map();
  for (const text of texts) {
    const found = text.replace(/```[\s\S]*?(?:```|$)|`[^`]*`/g, ' ').matchAll(TAG);
    for (const tag of new Set([...found].map((match) => match[1].toLowerCase()))) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts].sort(([a, countA], [b, countB]) => countB - countA || a.localeCompare(b));
}
