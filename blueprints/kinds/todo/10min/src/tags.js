const TAG = /(?<![\p{L}\p{N}#&])#([\p{L}\p{N}][\p{L}\p{N}_-]*)/gu;

/** Returns the tags in a text, in lower case and without the sign: "call Ana #phone" → ["phone"]. */
export const tagsOf = (text) => [...new Set([...text.matchAll(TAG)].map((match) => match[1].toLowerCase()))];

/** Returns every tag of a list with its number of open entries, sorted by name. */
export function countTags(entries) {
  const counts = new Map();
  for (const { text, done } of entries) {
    for (const tag of tagsOf(text)) counts.set(tag, (counts.get(tag) ?? 0) + (done ? 0 : 1));
  }
  return [...counts].sort(([a], [b]) => a.localeCompare(b));
}

/** Returns the lines of a pasted text without bullets, numbers and check boxes. */
export function linesOf(text) {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*(?:[-*•+]|\d{1,3}[.)])?\s*(?:\[[ xX]?\]\s*)?/, '').trim())
    .filter(Boolean);
}
