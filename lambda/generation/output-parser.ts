import { PathSet } from '../sites/path-set.ts';
import { readPlanLine } from './plan-line.ts';
import type { PlannedFile, WrittenFile } from './project.ts';

interface Marker {
  readonly name: 'file' | 'plan' | 'done';
  readonly closing: boolean;
  readonly path: string | undefined;
  /** The rest of its line. */
  readonly rest: string;
}

const NONE: readonly WrittenFile[] = [];

const LINE_FEED = 10;

/** How many single-character chunks are joined at a time. */
const BUFFER_SIZE = 512;

/**
 * Parses the output protocol as it arrives, in chunks of any size:
 *
 *     <plan>
 *     src/app.js: its purpose
 *     </plan>
 *     <file path="src/app.js">
 *     …the unchanged content…
 *     </file>
 *     <done/>
 *
 * A marker starts its line; an opening or end marker must be alone on it. Text outside of files is ignored: prose, code
 * fences, and everything after the end marker. A file counts only with its closing marker, not if it is cut off,
 * interrupted by the next opening marker, or closed with another path. If a path repeats, the last file counts. A file
 * whose path a deployment would reject is dropped, and its path is kept in `rejected`.
 *
 * One ambiguity remains: content with a line that looks like a marker. The marker wins: an opening one drops the file
 * around it, a closing one ends it. `<plan>` and `<done/>` inside a file are content.
 *
 * The start of a line alone decides whether it is a marker (except for opening markers, which complete no file), so a
 * cut-off answer completes no file that the whole answer would not. Takes linear time.
 */
export class OutputParser {
  /** Complete files by path, in the order of their first appearance. */
  readonly files = new Map<string, WrittenFile>();
  /** Rejected paths with the reason. */
  readonly rejected = new Map<string, string>();
  /** The planned files, set once the list is complete: after its closing marker, a file, or the end marker. */
  plan: readonly PlannedFile[] = [];
  /** Whether the end marker was found; without it the answer was cut off. */
  done = false;

  readonly #before: readonly string[];
  readonly #paths: PathSet;
  /** The current line so far, followed by the single characters that are not joined to it yet. */
  #line = '';
  readonly #characters = new Uint16Array(BUFFER_SIZE);
  #buffered = 0;
  #path: string | undefined;
  #content: string[] = [];
  #planLines: string[] | undefined;
  #completed: WrittenFile[] = [];

  /** @param before the existing paths of the project */
  constructor(before: Iterable<string> = []) {
    this.#before = [...before];
    this.#paths = new PathSet(this.#before);
  }

  /** Parses a chunk. @returns the files that it completed, in order; a repeated path each time */
  feed(chunk: string): readonly WrittenFile[] {
    // With single characters, searching each for a line break and joining it to the line would take most of the time.
    if (chunk.length === 1) {
      const code = chunk.charCodeAt(0);
      if (code !== LINE_FEED) {
        if (this.#buffered === BUFFER_SIZE) this.#flush();
        this.#characters[this.#buffered++] = code;
        return NONE;
      }
    }
    this.#flush();
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      this.#read(this.#line + chunk.slice(start, end));
      this.#line = '';
      start = end + 1;
    }
    this.#line += start === 0 ? chunk : chunk.slice(start);
    return start === 0 ? NONE : this.#takeCompleted();
  }

  /** Parses the last line, which may lack a line break. @returns the files that it completed */
  end(): readonly WrittenFile[] {
    this.#flush();
    this.#read(this.#line);
    this.#line = '';
    return this.#takeCompleted();
  }

  /** Joins the buffered characters to the line. */
  #flush(): void {
    if (this.#buffered === 0) return;
    this.#line += String.fromCharCode.apply(
      null,
      this.#characters.subarray(0, this.#buffered) as unknown as number[],
    );
    this.#buffered = 0;
  }

  #takeCompleted(): readonly WrittenFile[] {
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
    if (problem !== undefined) return void this.rejected.set(path, problem);
    const file = { path, content: text(withoutFence(path, this.#content)) };
    this.files.set(path, file);
    this.#completed.push(file);
  }
}

const MARKER = /^\s*<(\/?)(file|plan|done)(?=[\s/>])((?:"[^"]*"|'[^']*'|[^"'>])*)>/i;
const PATH = /\spath\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
/** Far more than the longest path needs. Bounds the cost of a line: a marker must end within this many characters. */
const LONGEST_MARKER = 4_096;

function markerOf(line: string): Marker | undefined {
  const match = MARKER.exec(line.length > LONGEST_MARKER ? line.slice(0, LONGEST_MARKER) : line);
  if (match === null) return undefined;
  const [whole, slash, name = '', attributes = ''] = match;
  const path = PATH.exec(attributes);
  // `<file path="x"/>` opens no file: many formats have such elements.
  const selfClosing = attributes.endsWith('/');
  return {
    name: name.toLowerCase() as Marker['name'],
    closing: slash === '/',
    path: selfClosing ? undefined : (path?.[1] ?? path?.[2] ?? path?.[3])?.replace(/^\.\//, ''),
    rest: line.slice(whole.length),
  };
}

const FENCE = /^\s*(`{3,}|~{3,})([\w+#.-]*)\s*$/;

/** Removes a code fence that the model put around a file. In Markdown, any other fence than `markdown` is content. */
function withoutFence(path: string, lines: string[]): string[] {
  const [, fence, language = ''] = FENCE.exec(lines[0] ?? '') ?? [];
  if (lines.length < 2 || fence === undefined || lines.at(-1)?.trim() !== fence) return lines;
  const markdown = /\.(?:md|mdx|markdown)$/i.test(path);
  return markdown && !/^(?:md|mdx|markdown)$/i.test(language) ? lines : lines.slice(1, -1);
}

/** Returns lines as a text file, which ends with a line break (POSIX) unless it is empty. */
function text(lines: string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
