import { PathSet } from '../sites/path-set.ts';
import { readPlanLine } from './plan-line.ts';
import type { PlannedFile, WrittenFile } from './project.ts';

interface Marker {
  readonly name: 'file' | 'plan' | 'done';
  readonly closing: boolean;
  readonly path: string | undefined;
  /** What stands behind it on its line. */
  readonly rest: string;
}

const NONE: readonly WrittenFile[] = [];

const LINE_FEED = 10;

/** Characters that come one by one are joined in pieces of this size. */
const TYPED = 512;

/**
 * Reads the output protocol as it arrives, in chunks cut anywhere:
 *
 *     <plan>
 *     src/app.js: what it is for
 *     </plan>
 *     <file path="src/app.js">
 *     …the content, as it is…
 *     </file>
 *     <done/>
 *
 * A marker begins its line; an opening or end marker stands alone on it. What stands outside of files is ignored:
 * prose, code fences, and everything behind the end marker. Only a file whose closing marker came is a file: one
 * that is cut off, that the next opening marker interrupts, or whose closing marker names another path, is none.
 * Of a repeated path the last file counts. A path that a deployment would refuse is left out and kept in `refused`.
 *
 * One ambiguity remains: content that itself has a line which reads as a marker. The marker wins: an opening one
 * drops the file around it, a closing one ends it there. `<plan>` and `<done/>` inside of a file are content.
 *
 * Whether a line is a marker is decided by its beginning alone (but for opening markers, which complete nothing),
 * so that an answer cut anywhere completes no file that the whole answer would not. Time is linear in the input.
 */
export class OutputParser {
  /** Complete files by path, in the order of their first appearance. */
  readonly files = new Map<string, WrittenFile>();
  /** Paths that no file of the project may have, with the reason. */
  readonly refused = new Map<string, string>();
  /** The planned files, once the whole list is there: its closing marker, a file, or the end marker came. */
  plan: readonly PlannedFile[] = [];
  /** Whether the end marker came: without it the answer was cut off. */
  done = false;

  readonly #before: readonly string[];
  readonly #paths: PathSet;
  /** The line whose end has not come yet, and the characters that came one by one after it. */
  #line = '';
  readonly #characters = new Uint16Array(TYPED);
  #typed = 0;
  #path: string | undefined;
  #content: string[] = [];
  #planLines: string[] | undefined;
  #completed: WrittenFile[] = [];

  /** @param before the paths that the project has already */
  constructor(before: Iterable<string> = []) {
    this.#before = [...before];
    this.#paths = new PathSet(this.#before);
  }

  /** @returns the files that this chunk completed, in their order; a repeated path each time */
  feed(chunk: string): readonly WrittenFile[] {
    // Character by character, searching each for a line end and joining it to the others would be most of the time.
    if (chunk.length === 1) {
      const code = chunk.charCodeAt(0);
      if (code !== LINE_FEED) {
        if (this.#typed === TYPED) this.#settle();
        this.#characters[this.#typed++] = code;
        return NONE;
      }
    }
    this.#settle();
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      this.#read(this.#line + chunk.slice(start, end));
      this.#line = '';
      start = end + 1;
    }
    this.#line += start === 0 ? chunk : chunk.slice(start);
    return start === 0 ? NONE : this.#taken();
  }

  /** The stream has ended: a last line without a line end is a line. @returns the files that it completed */
  end(): readonly WrittenFile[] {
    this.#settle();
    this.#read(this.#line);
    this.#line = '';
    return this.#taken();
  }

  /** Adds the characters that came one by one to the line. */
  #settle(): void {
    if (this.#typed === 0) return;
    this.#line += String.fromCharCode.apply(
      null,
      this.#characters.subarray(0, this.#typed) as unknown as number[],
    );
    this.#typed = 0;
  }

  #taken(): readonly WrittenFile[] {
    if (this.#completed.length === 0) return NONE;
    const completed = this.#completed;
    this.#completed = [];
    return completed;
  }

  #read(line: string): void {
    if (this.done) return;
    const marker = markerOf(line);
    const alone = marker?.rest.trim() === '';
    if (marker?.name === 'file' && !marker.closing && marker.path !== undefined && alone)
      this.#open(marker.path);
    else if (this.#path === undefined) this.#readOutside(line, alone ? marker : undefined);
    else if (marker?.name === 'file' && marker.closing) this.#close(this.#path, marker);
    else this.#content.push(line.endsWith('\r') ? line.slice(0, -1) : line);
  }

  #readOutside(line: string, marker: Marker | undefined): void {
    if (marker?.name === 'done') {
      this.done = true;
      this.#endPlan();
    } else if (marker?.name === 'plan') {
      if (marker.closing) this.#endPlan();
      else this.#planLines = [];
    } else this.#planLines?.push(line);
  }

  #endPlan(): void {
    if (this.#planLines === undefined) return;
    const paths = new PathSet(this.#before);
    const planned = new Map<string, PlannedFile>();
    for (const line of this.#planLines) {
      const file = readPlanLine(line);
      if (file && paths.add(file.path) === undefined) planned.set(file.path, file);
    }
    this.plan = [...planned.values()];
    this.#planLines = undefined;
  }

  #open(path: string): void {
    this.#endPlan();
    this.#path = path;
    this.#content = [];
  }

  #close(path: string, marker: Marker): void {
    if (marker.path === undefined || marker.path === path) this.#keep(path);
    this.#path = undefined;
    this.#content = [];
    if (marker.rest !== '') this.#read(marker.rest);
  }

  #keep(path: string): void {
    const problem = this.#paths.add(path);
    if (problem !== undefined) return void this.refused.set(path, problem);
    const file = { path, content: text(withoutFence(path, this.#content)) };
    this.files.set(path, file);
    this.#completed.push(file);
  }
}

const MARKER = /^\s*<(\/?)(file|plan|done)(?=[\s/>])((?:"[^"]*"|'[^']*'|[^"'>])*)>/i;
const PATH = /\spath\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
/** Far more than the longest path takes; a marker further in is none, so that no line costs more than this. */
const LONGEST_MARKER = 4_096;

function markerOf(line: string): Marker | undefined {
  const match = MARKER.exec(line.length > LONGEST_MARKER ? line.slice(0, LONGEST_MARKER) : line);
  if (match === null) return undefined;
  const [whole, slash, name = '', attributes = ''] = match;
  const path = PATH.exec(attributes);
  // `<file path="x"/>` opens nothing: many a format has elements like that.
  const selfClosing = attributes.endsWith('/');
  return {
    name: name.toLowerCase() as Marker['name'],
    closing: slash === '/',
    path: selfClosing ? undefined : (path?.[1] ?? path?.[2] ?? path?.[3])?.replace(/^\.\//, ''),
    rest: line.slice(whole.length),
  };
}

const FENCE = /^\s*(`{3,}|~{3,})([\w+#.-]*)\s*$/;

/** Models like to fence the content of a file; in Markdown only a fence that says `markdown` is not content. */
function withoutFence(path: string, lines: string[]): string[] {
  const [, fence, language = ''] = FENCE.exec(lines[0] ?? '') ?? [];
  if (lines.length < 2 || fence === undefined || lines.at(-1)?.trim() !== fence) return lines;
  const markdown = /\.(?:md|mdx|markdown)$/i.test(path);
  return markdown && !/^(?:md|mdx|markdown)$/i.test(language) ? lines : lines.slice(1, -1);
}

/** A text file ends with a line end (POSIX); an empty one has none. */
function text(lines: string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
