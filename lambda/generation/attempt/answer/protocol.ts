import { PathSet } from '../../../sites/paths.ts';
import type { Plan, PlannedFile } from '../../../stored/projects/stored-project.ts';

/** Splits text that arrives in chunks of any size into lines. Takes linear time. */
export class LineSplitter {
  /** The chunks of the current line so far. */
  #chunks: string[] = [];
  readonly #onLine: (line: string) => void;

  /** @param onLine called with each line, without its line break */
  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  /** Adds a chunk. @returns whether it ended a line */
  add(chunk: string): boolean {
    if (!chunk.includes('\n')) {
      this.#chunks.push(chunk);
      return false;
    }
    const [first = '', ...others] = chunk.split('\n');
    const rest = others.pop() ?? '';
    this.#onLine(this.takeRest() + first);
    for (const line of others) this.#onLine(line);
    this.#chunks.push(rest);
    return true;
  }

  /** Returns the last line, which lacks a line break, and forgets it. */
  takeRest(): string {
    const line = this.#chunks.join('');
    this.#chunks = [];
    return line;
  }
}

/** A line, or its beginning, that structures an answer, such as `<file path="index.html">`. */
export interface Marker {
  readonly name: 'file' | 'edit' | 'delete' | 'plan' | 'done';
  readonly closing: boolean;
  readonly path: string | undefined;
  /** The file that it opens, if it does. */
  readonly opens: string | undefined;
  /** Whether it continues an unfinished file. */
  readonly continues: boolean;
  /** The rest of its line. */
  readonly rest: string;
}

const MARKER =
  /^\s*<(?<slash>\/?)(?<name>file|edit|delete|plan|done)(?=[\s/>])(?<attributes>(?:"[^"]*"|'[^']*'|[^"'>])*)>/i;
const PATH = /\spath\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
/** Far more than the longest path needs. Bounds the cost of a line: a marker must end within this many characters. */
const LONGEST_MARKER = 4_096;

/**
 * Returns the marker with which a line begins; undefined for any other line.
 * @param edits whether there are files to edit and to delete
 */
export function markerOf(line: string, edits: boolean): Marker | undefined {
  const match = MARKER.exec(line.length > LONGEST_MARKER ? line.slice(0, LONGEST_MARKER) : line);
  if (match === null) return undefined;
  const { slash, name = '', attributes = '' } = match.groups ?? {};
  const known = name.toLowerCase() as Marker['name'];
  if (!edits && (known === 'edit' || known === 'delete')) return undefined;
  const closing = slash === '/';
  const selfClosing = attributes.endsWith('/');
  const path = pathIn(selfClosing ? attributes.slice(0, -1) : attributes);
  // `<file path="x"/>` opens no file: many formats have such elements.
  const mayOpen = (known === 'file' || known === 'edit') && !closing && !selfClosing;
  return {
    name: known,
    closing,
    path,
    opens: mayOpen ? path : undefined,
    continues: /\scontinued\b/i.test(attributes),
    rest: line.slice(match[0].length),
  };
}

function pathIn(attributes: string): string | undefined {
  const [, double, single, bare] = PATH.exec(attributes) ?? [];
  const path = double ?? single ?? bare;
  return path === undefined ? undefined : normalizedPath(path);
}

/**
 * Returns a path as the protocol has it, if the way in which a model wrote it leaves no doubt: with backslashes, from
 * the root, in quotes, or with `.` or empty segments. Every other path stays as it is, and is rejected if it is not valid.
 */
function normalizedPath(path: string): string {
  const slashed = path
    .trim()
    .replace(/^[`“”‘’](.+)[`“”‘’]$/, '$1')
    .replaceAll('\\', '/');
  return slashed.replace(/(?<=^|\/)(?:\.?\/+)+/g, '');
}

/** Tokens of a model's template that servers print around an answer, such as `<|im_end|>`. */
const TOKEN = String.raw`(?:<[|｜][^<>|｜\s]{1,40}[|｜]?>|<[^<>|｜\s]{1,40}[|｜]>|<\/?s>|<eos>|<(?:start|end)_of_turn>)`;
const TOKENS_BEFORE = new RegExp(String.raw`^\s*${TOKEN}(?:\s*${TOKEN})*`);
const TOKENS_AFTER = new RegExp(String.raw`${TOKEN}(?:\s*${TOKEN})*\s*$`);
/** A file that begins behind its opening marker, rather than a sentence about the marker. */
const CONTENT = /^(?:\s*[^\s\p{L}\p{N},;.)`'"–—-]|[\p{L}\p{N}-]|\s*\.[\w-]|```|["']use )/u;

/** Text that models write behind a deletion: a closing tag, or a reason in brackets. */
const DELETE_NOISE = /^\s*(?:<\/delete>|\([^)]*\)|<!--.*-->)\s*$/i;

/** A marker outside of files, with what stands beside it on its line. */
export interface FoundMarker {
  readonly marker: Marker;
  /** The words before it. */
  readonly before: string;
  /** The first line of the file, if it begins behind its opening marker. */
  readonly content: string | undefined;
}

/**
 * Finds the marker of a line outside of files. Tokens of a template may stand around it, and words before it; a file may
 * begin right behind its opening marker. A marker that is quoted or escaped, or in the middle of a sentence, is none.
 */
export function findMarker(line: string, edits: boolean): FoundMarker | undefined {
  const text = withoutTokens(line);
  const first = markerOf(text, edits);
  if (first?.rest.trim() === '') return { marker: first, before: '', content: undefined };
  if (first?.opens !== undefined && CONTENT.test(first.rest)) return { marker: first, before: '', content: first.rest };
  if (first?.name === 'done' && !first.closing) return { marker: first, before: first.rest, content: undefined };
  if (first?.name === 'delete' && first.path !== undefined && DELETE_NOISE.test(first.rest))
    return { marker: first, before: '', content: undefined };
  const at = text.lastIndexOf('<');
  if (at < 1 || /["'`“‘\\]/.test(text.charAt(at - 1))) return undefined;
  const last = markerOf(text.slice(at), edits);
  const counts = last?.opens !== undefined || last?.name === 'plan' || last?.name === 'done';
  if (!last || !counts || last.rest.trim() !== '') return undefined;
  return { marker: last, before: text.slice(0, at), content: undefined };
}

/** Returns a line without the tokens at its ends. */
export function withoutTokens(line: string): string {
  // Tokens are short: a long line is searched at its ends alone.
  if (!line.includes('>')) return line;
  const after = TOKENS_AFTER.exec(line.slice(-LONGEST_MARKER));
  const cut = after ? line.slice(0, line.length - after[0].length) : line;
  return cut.replace(TOKENS_BEFORE, '');
}

/** A closing marker behind the last content of its file, on the same line. */
export interface TrailingEnd {
  readonly content: string;
  /** The text behind it: a marker, or nothing. */
  readonly rest: string;
}

/**
 * Finds the closing marker behind content. An element of the same name that begins on the line is content, and so is a
 * marker that anything but another marker follows.
 */
export function findTrailingEnd(line: string, name: 'file' | 'edit', edits: boolean): TrailingEnd | undefined {
  if (!line.includes('</')) return undefined;
  const text = withoutTokens(line);
  const at = text.toLowerCase().lastIndexOf(`</${name}`);
  if (at < 1) return undefined;
  const marker = markerOf(text.slice(at), edits);
  const content = text.slice(0, at);
  if (marker === undefined || content.trim() === '' || new RegExp(`<${name}[\\s>]`, 'i').test(content))
    return undefined;
  const rest = marker.rest.trim();
  if (rest === '') return { content, rest };
  const next = markerOf(rest, edits);
  const isNext = next?.opens !== undefined || next?.name === 'done' || next?.name === 'delete';
  return isNext && next.rest.trim() === '' ? { content, rest } : undefined;
}

/** The start of a list item: bullets, numbers, check boxes, emphasis. */
const LEAD = /^(?:[-*+•]\s+|\d{1,3}[.)]\s+|\[[ x]\]\s+|\*\*)*/i;
const QUOTED = /^`([^`]+)`/;
const BARE = /^[^\s:*`]+/;
const SEPARATOR = /^(?:\*\*)?\s*(?::|[-–—]+(?=\s)|\*\*|$)(?:\*\*)?\s*/;

/** The number of a group, which has neither a dot nor a bracket behind it. */
const GROUP = /^(\d{1,2})\s+(?=\S)/;

/** Longer lines are prose; the limit also bounds the cost of the patterns above. */
const LONGEST = 6_000;

/**
 * Parses a line of a plan, `path: purpose` or `2 path: purpose` with the number of its group, as models write it:
 * possibly with a bullet or a number, backticks around the path, a dash instead of the colon, or no purpose. Returns
 * undefined for a line without a path. A path that is not quoted contains no spaces, and contains a dot or a slash
 * unless it is a well-known name.
 */
function readPlanLine(line: string): PlannedFile | undefined {
  if (line.length > LONGEST) return undefined;
  const item = line.trim().replace(LEAD, '');
  const group = GROUP.exec(item);
  const text = group ? item.slice(group[0].length).replace(LEAD, '') : item;
  const quoted = QUOTED.exec(text);
  const written = quoted?.[0] ?? BARE.exec(text)?.[0] ?? '';
  const path = normalizedPath(quoted?.[1] ?? written);
  const separator = SEPARATOR.exec(text.slice(written.length));
  if (separator === null || !(quoted || /[./]|^(?:Dockerfile|Makefile|LICENSE)$/.test(path))) return undefined;
  const purpose = text.slice(written.length + separator[0].length);
  return group ? { path, purpose, group: Number(group[1]) } : { path, purpose };
}

/** The largest plan, in bytes and files: every write of the generation's item of at most 400 KB pays for it. */
const LARGEST = 60_000;
const MOST_FILES = 1_000;

/**
 * Reads the lines of a plan. In a plan with groups, lines without the number of a group are about several files.
 * @param before the existing files of the project, whose paths cannot be planned
 */
export function readPlan(lines: readonly string[], before: readonly string[]): Plan {
  const paths = new PathSet(before);
  const files = new Map<string, PlannedFile>();
  const others: string[] = [];
  let room = LARGEST;
  for (const line of lines) {
    room -= Buffer.byteLength(line);
    if (room < 0 || files.size === MOST_FILES) break;
    const file = readPlanLine(line);
    if (file === undefined) others.push(line.trim());
    else if (paths.add(file.path) === undefined) files.set(file.path, file);
  }
  const planned = [...files.values()];
  if (planned.every(({ group }) => group === undefined)) return { files: planned, shared: '' };
  // `State.items: …` looks like a path.
  const isShared = ({ group }: PlannedFile) => group === undefined;
  others.push(...planned.filter(isShared).map(({ path, purpose }) => `${path}: ${purpose}`));
  return { files: planned.filter((file) => !isShared(file)), shared: others.join('\n').trim() };
}
