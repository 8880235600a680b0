/** The text with all changes, or the problem that keeps it as it was, as a predicate of the file: `has no …`. */
type EditResult = { readonly content: string } | { readonly problem: string };

/** Lines to find, and the lines to put in their place. */
interface Block {
  readonly search: readonly string[];
  readonly replace: readonly string[];
}

interface Replacement {
  /** Lines of the file, from 0; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

const SEARCH = /^\s*<{5,9} *SEARCH\b/i;
const DIVIDER = /^\s*={5,9}\s*$/;
const REPLACE = /^\s*>{5,9} *REPLACE\b/i;

/**
 * Applies search-and-replace blocks to a text. Each block's search consists of whole lines and must occur exactly once
 * in the text; line endings do not matter for finding it and stay as they are, nor do spaces at the ends of lines, or the
 * indentation of all lines if it differs by as much. All blocks apply, or none does.
 *
 *     <<<<<<< SEARCH
 *     lines to find
 *     =======
 *     lines to put there
 *     >>>>>>> REPLACE
 *
 * @param lines the blocks; lines outside of them are ignored
 * @param repeated whether the blocks may be applied already: those whose replacement occurs once change nothing
 */
export function applyBlocks(content: string, lines: readonly string[], repeated = false): EditResult {
  const bodies = blockBodies(lines);
  if (bodies === undefined) return { problem: 'has a search-and-replace block without its end' };
  if (bodies.length === 0) return { problem: 'has no search-and-replace block' };
  const text = new Lines(content);
  const replacements: Replacement[] = [];
  for (const [index, body] of bodies.entries()) {
    const found = locate(text, body, repeated);
    if (typeof found === 'string') return { problem: `has a block (number ${index + 1}) ${found}` };
    replacements.push(found);
  }
  replacements.sort((a, b) => a.start - b.start || a.end - b.end);
  for (const [index, { end }] of replacements.entries()) {
    const next = replacements[index + 1];
    if (next && next.start < end) return { problem: 'has two blocks that change the same line' };
  }
  return { content: text.replaced(replacements) };
}

/** Returns the lines between the marks of each block; undefined if a block does not end. */
function blockBodies(lines: readonly string[]): string[][] | undefined {
  const bodies: string[][] = [];
  let body: string[] | undefined;
  for (const line of lines) {
    if (body === undefined) {
      if (SEARCH.test(line)) body = [];
    } else if (REPLACE.test(line)) {
      bodies.push(body);
      body = undefined;
    } else body.push(line);
  }
  return body === undefined ? bodies : undefined;
}

/** Returns what a block replaces, or why it replaces nothing. */
function locate(text: Lines, body: readonly string[], repeated: boolean): Replacement | string {
  const blocks = splits(body);
  if (blocks.length === 0) return 'without its line of seven equals signs';
  let most = 0;
  // A line of equals signs may also be content, such as the underline of a heading: the longest search that fits
  // counts.
  for (const { search, replace } of blocks) {
    if (isBlank(search)) continue;
    if (repeated && !isBlank(replace) && text.find(replace).count === 1) return { start: 0, end: 0, lines: [] };
    const { start, count } = text.find(search);
    if (count === 1) return { start, end: start + search.length, lines: replace };
    most = Math.max(most, count);
  }
  const indented = most === 0 ? locateIndented(text, blocks, repeated) : undefined;
  if (indented) return indented;
  if (most > 1) return 'whose search occurs more than once: quote more of the lines around it';
  const searches = blocks.map(({ search }) => search).filter((search) => !isBlank(search));
  if (searches.length === 0) return 'with an empty search: quote the lines before the place to insert';
  return searches.some((search) => text.hasPart(search))
    ? 'whose search begins or ends inside a line: quote whole lines, with their indentation'
    : 'whose search does not occur: quote the lines exactly as they are';
}

/**
 * Returns what a block replaces whose lines differ from those of the text in white space alone: models that quote from the middle of
 * a file lose indentation, and spaces at the ends of lines. The replacement is moved like the search. Lines at its ends that it only
 * repeats stay as they are.
 */
function locateIndented(text: Lines, blocks: readonly Block[], repeated: boolean): Replacement | undefined {
  const bare = text.trimmed();
  for (const { search, replace } of blocks) {
    if (isBlank(search)) continue;
    if (repeated && !isBlank(replace) && bare.find(replace.map(trimmed)).count === 1)
      return { start: 0, end: 0, lines: [] };
    const { start, count } = bare.find(search.map(trimmed));
    const lines = count === 1 ? moved(replace, search, text.slice(start, start + search.length)) : undefined;
    if (lines === undefined) continue;
    const shorter = Math.min(search.length, replace.length);
    let head = 0;
    while (head < shorter && search[head] === replace[head]) head++;
    let tail = 0;
    while (tail < shorter - head && search.at(-1 - tail) === replace.at(-1 - tail)) tail++;
    return { start: start + head, end: start + search.length - tail, lines: lines.slice(head, lines.length - tail) };
  }
  return undefined;
}

/**
 * Returns lines with the indentation that turns `from` into `to`; undefined if that is not the same for all lines, or if all lines
 * have it already.
 */
function moved(lines: readonly string[], from: readonly string[], to: readonly string[]): string[] | undefined {
  const first = from.findIndex((line) => line.trim() !== '');
  const [was, is] = [indentation(from[first]), indentation(to[first])];
  const add = is.slice(0, Math.max(0, is.length - was.length));
  const remove = was.slice(0, Math.max(0, was.length - is.length));
  const move = (line: string) => (line.trim() === '' ? line : add + line.slice(remove.length));
  const fits = (line: string) => line.trim() === '' || line.startsWith(remove);
  if (![...lines, ...from].every(fits)) return undefined;
  // The model lost the indentation in the search alone.
  if (add !== '' && !isBlank(lines) && lines.every((line) => line.trim() === '' || line.startsWith(is)))
    return undefined;
  const isSame = from.every((line, at) => line.trim() === '' || indentation(move(line)) === indentation(to[at]));
  return isSame ? lines.map(move) : undefined;
}

/** Other white space is content: a byte order mark, or a space that does not break. */
const indentation = (line = '') => /^[ \t]*/.exec(line)?.[0] ?? '';
const isBlank = (lines: readonly string[]) => lines.every((line) => line.trim() === '');

/** Returns a line without spaces and tabs at its begin and end. Takes linear time. */
function trimmed(line: string): string {
  const start = indentation(line).length;
  let end = line.length;
  while (end > start && (line[end - 1] === ' ' || line[end - 1] === '\t')) end--;
  return line.slice(start, end);
}

/** Returns the ways to split a body at a divider, the longest search first. */
function splits(body: readonly string[]): Block[] {
  return body
    .flatMap((line, at) => (DIVIDER.test(line) ? [{ search: body.slice(0, at), replace: body.slice(at + 1) }] : []))
    .toReversed();
}

/** A text as lines that keep their endings. */
class Lines {
  /** Without line feeds, but with the carriage returns. */
  readonly #lines: readonly string[];
  readonly #end: '\n' | '';
  /** The lines without carriage returns, each between two line feeds. */
  readonly #text: string;
  /** The offset in `#text` of the line feed before each line. */
  readonly #starts: number[] = [];
  #trimmed: Lines | undefined;

  constructor(content: string) {
    this.#end = content.endsWith('\n') ? '\n' : '';
    const whole = this.#end === '' ? content : content.slice(0, -1);
    this.#lines = content === '' ? [] : whole.split('\n');
    let text = '';
    for (const line of this.#lines) {
      this.#starts.push(text.length);
      text += `\n${withoutReturn(line)}`;
    }
    this.#text = `${text}\n`;
  }

  /** Finds whole lines. @returns the first place, and 0, 1 or 2 for the number of places, where 2 stands for more */
  find(search: readonly string[]): { start: number; count: number } {
    const wanted = `\n${search.join('\n')}\n`;
    const first = this.#text.indexOf(wanted);
    if (first === -1) return { start: -1, count: 0 };
    const second = this.#text.indexOf(wanted, first + 1);
    return { start: this.#starts.indexOf(first), count: second === -1 ? 1 : 2 };
  }

  /** The text without spaces and tabs at the beginnings and ends of its lines, whose numbers stay. */
  trimmed(): Lines {
    this.#trimmed ??= new Lines(`${this.#lines.map((line) => trimmed(withoutReturn(line))).join('\n')}${this.#end}`);
    return this.#trimmed;
  }

  /** Returns lines without carriage returns. */
  slice(start: number, end: number): string[] {
    return this.#lines.slice(start, end).map(withoutReturn);
  }

  /** Reports if lines occur, the first and the last of which may be parts of longer ones. */
  hasPart(search: readonly string[]): boolean {
    return this.#text.includes(search.join('\n').trim());
  }

  /** @param replacements in the order of their lines, without overlap */
  replaced(replacements: readonly Replacement[]): string {
    const result: string[] = [];
    let at = 0;
    for (const { start, end, lines } of replacements) {
      const ending = (this.#lines[start] ?? this.#lines[start - 1])?.endsWith('\r') ? '\r' : '';
      for (; at < start; at++) result.push(this.#lines[at] ?? '');
      for (const line of lines) result.push(line + ending);
      at = end;
    }
    for (; at < this.#lines.length; at++) result.push(this.#lines[at] ?? '');
    return result.length === 0 ? '' : result.join('\n') + this.#end;
  }
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
