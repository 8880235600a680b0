import { shorten } from './phrases.ts';

const BULLET = /^\s*(?:[-*•–+]|\d{1,2}[.)])\s+(.+)$/;
const MAX_ENTRIES = 24;
const MAX_LENGTH = 80;

// A bullet such as "users can filter tasks" asks for a feature; it is not an entry of the project.
const REQUIREMENT =
  /^(?:users?|it|must|should|can|supports?|use|uses|allow|add(?:ing)?|mark(?:ing)?|delet(?:e|ing)|edit(?:ing)?|filter|sav(?:e|es|ing)|persist|stor(?:e|es)|responsive|dark|light|display|include|local ?storage|keyboard|drag|ability|option)\b/i;

const tidy = (entry: string): string =>
  shorten(
    entry.replace(/^(?:and|und|et|y|e|or)\s+/i, '').replace(/^["'“”‘’«»\s]+|["'“”‘’«»\s.,;]+$/g, ''),
    MAX_LENGTH,
  );

function finish(entries: readonly string[]): string[] {
  return [...new Set(entries.map(tidy))].filter((entry) => /[\p{L}\p{N}]/u.test(entry)).slice(0, MAX_ENTRIES);
}

/** Splits "milk, eggs and bread" into its entries. */
export function splitList(text: string): string[] {
  const parts = text.split(/\s*[,;|]\s*/);
  const [, first = parts.at(-1) ?? '', second = ''] =
    /^(.+?)\s+(?:and|und|et|y|e|&)\s+(.+)$/i.exec(parts.at(-1) ?? '') ?? [];
  return finish([...parts.slice(0, -1), first, second]);
}

/** Returns the bullet lines below the first line that names a label, or undefined. */
function bullets(lines: readonly string[], label: RegExp): string[] | undefined {
  const from = lines.findIndex(
    (line, at) => BULLET.test(lines[at + 1] ?? '') && label.test(line) && !BULLET.test(line),
  );
  if (from < 0) return undefined;
  const after = lines.slice(from + 1);
  const end = after.findIndex((line) => !BULLET.test(line));
  const entries = after.slice(0, end < 0 ? undefined : end).map((line) => BULLET.exec(line)?.[1] ?? '');
  return entries.filter((entry) => REQUIREMENT.test(entry)).length * 2 >= entries.length
    ? []
    : finish(entries);
}

/**
 * Returns the entries that a prompt lists under one of the labels: "items: a, b and c", "with the items a, b",
 * or bullet or numbered lines below a line that names a label.
 * @param labels a regular expression source, such as `items|tasks`
 */
export function readList(text: string, labels: string): string[] {
  const label = new RegExp(`(?<![\\p{L}-])(?:${labels})(?!\\p{L})`, 'iu');
  const listed = bullets(text.split('\n'), label);
  if (listed) return listed;
  const introduced = new RegExp(
    `${label.source} ?(?::|such as|like|including|include|are|named|called|wie|como|comme|[-–—]) ?([^.\\n]+)`,
    'iu',
  ).exec(text)?.[1];
  const bare = new RegExp(
    `(?:with|containing|and|mit|con|avec|com)(?: the| these| den| las?| los| les| os| as)? ${label.source} ([^.;\\n]*,[^.;\\n]+)`,
    'iu',
  ).exec(text)?.[1];
  const entries = introduced ?? bare ?? '';
  // A semicolon separates entries, but ends a list that has commas.
  const own = entries.includes(',') ? entries.replace(/;.*$/, '') : entries;
  return splitList(own.replace(/ (?:(?:with|in an?|using) |and [\p{L} ]{2,20}:).*$/iu, ''));
}

/** Returns the things that a list is "with", without a label: "a shopping list with milk, eggs and bread". */
export function readGoods(text: string): string[] {
  const [, things = ''] = /(?<!\p{L})(?:with|mit|avec|con|com) ([^.;:\n]*,[^.;:\n]+)/iu.exec(text) ?? [];
  const entries = splitList(things);
  return entries.every((entry) => !REQUIREMENT.test(entry) && entry.split(' ').length <= 3) ? entries : [];
}
