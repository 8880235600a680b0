import type { UnfinishedFile } from '../stored/projects/stored-project.ts';

/** Maximum number of lines that a model is asked to repeat. */
const LONGEST_ANCHOR = 12;
/** Maximum number of repeated lines that are looked for; bounds the cost. */
const MOST_REPEATED = 400;
/** Number of lines at the start of a file that tell whether an answer starts it over. */
const HEAD = 3;

type Lines = readonly string[];

/**
 * Returns the last lines of an unfinished file, which a model repeats so that its next answer can be joined to them: as
 * few as occur only once in the file.
 */
export function anchorOf(lines: Lines): Lines {
  for (let size = 1; size < LONGEST_ANCHOR; size++) {
    const tail = lines.slice(-size);
    if (hasWords(tail) && lines.length > 0 && isUnique(tail, lines)) return tail;
  }
  return lines.slice(-LONGEST_ANCHOR);
}

/**
 * Joins what another answer wrote for an unfinished file. The answer repeats the anchor, or more or fewer of the last
 * lines, or starts the file over; if its first lines are none of these, its opening marker decides.
 * @param continues whether the opening marker says that the answer continues the file
 */
export function joinLines(before: Lines, written: Lines, continues: boolean): string[] {
  const anchor = anchorOf(before);
  const rest = withoutOpening(anchor, written);
  const isRestart = startsOver(before, rest);
  // In a file of equal lines, the start looks like the end.
  if (startsWith(rest, anchor) && (continues || !isRestart)) return [...before, ...rest.slice(anchor.length)];
  if (isRestart) return [...rest];
  const repeated = repeatedLines(before, rest);
  return continues || repeated > 0 || isTail(before, rest) ? [...before, ...rest.slice(repeated)] : [...rest];
}

const DOCUMENT = /^\s*(?:\ufeff)?<(?:!doctype|html|\?xml|svg)\b/i;

/** Whether lines can only be the rest of a document, because they are no document themselves. */
function isTail(before: Lines, rest: Lines): boolean {
  const first = rest.find((line) => line.trim() !== '') ?? '';
  return DOCUMENT.test(before[0] ?? '') && !DOCUMENT.test(first);
}

/** Returns an unfinished file without the blank lines at its end, whose number models do not keep. */
export function unfinishedFile(path: string, edits: boolean, lines: Lines): UnfinishedFile | undefined {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return last === -1 ? undefined : { path, edits, lines: lines.slice(0, last + 1) };
}

/** Whether lines begin with others; white space at their ends does not matter. */
export function startsWith(lines: Lines, start: Lines): boolean {
  return start.length <= lines.length && start.every((line, i) => isSame(line, lines[i]));
}

function startsOver(before: Lines, rest: Lines): boolean {
  const head = before.slice(0, HEAD);
  if (startsWith(rest, head)) return true;
  const first = head.slice(0, 1);
  return hasWords(first) && isUnique(first, before) && startsWith(rest, first);
}

/** Returns how many of the last lines of a file the rest repeats, at most. */
function repeatedLines(before: Lines, rest: Lines): number {
  const longest = Math.min(before.length, rest.length, MOST_REPEATED);
  for (let size = longest; size > 0; size--) {
    const tail = before.slice(-size);
    if (isSame(tail[0], rest[0]) && hasWords(tail) && startsWith(rest, tail)) return size;
  }
  return 0;
}

/**
 * Leaves out the line that models put before the anchor now and then: a fence, which counts without an anchor as well, a
 * blank line, dots, or words such as `// continued`. A line that the anchor begins with is content.
 */
function withoutOpening(anchor: Lines, written: Lines): Lines {
  const [first = '', ...rest] = written;
  if (isSame(first, anchor[0])) return written;
  const isFence = /^\s*(?:`{3,}|~{3,})[^`]*$/.test(first);
  return isFence || (/^\s*$|\.{3}|…|\bcontinu/i.test(first) && startsWith(rest, anchor)) ? rest : written;
}

function isUnique(part: Lines, lines: Lines): boolean {
  let places = 0;
  for (let at = 0; at + part.length <= lines.length; at++) {
    if (part.every((line, i) => isSame(line, lines[at + i]))) places++;
  }
  return places === 1;
}

function hasWords(lines: Lines): boolean {
  return lines.some((line) => /[\p{L}\p{N}]/u.test(line));
}

function isSame(a: string | undefined, b: string | undefined): boolean {
  return a?.trimEnd() === b?.trimEnd();
}
