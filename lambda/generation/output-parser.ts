import { pathProblem } from '../contract/paths.ts';

/** A file that a model wrote from its opening to its closing marker. */
export interface WrittenFile {
  readonly path: string;
  readonly content: string;
}

const OPEN = /^\s*<file\s+path="([^"]*)"\s*>\s*$/;
const CLOSE = /^\s*<\/file>\s*$/;
const DONE = /^\s*<done\s*\/>\s*$/;
const FENCE = /^\s*```[\w+#.-]*\s*$/;

/**
 * Reads the output protocol as it arrives, in chunks cut anywhere:
 *
 *     <file path="src/app.js">
 *     …the content, as it is…
 *     </file>
 *     <done/>
 *
 * A marker stands alone on its line. What stands outside of files is ignored: prose, plans, code fences. Only a
 * file whose closing marker came is a file; one that is cut off, or interrupted by the next opening marker, is
 * none. Of a repeated path the last file counts. A path that a deployment would refuse is left out and kept in
 * `refused`. Time is linear in the input.
 */
export class OutputParser {
  /** Complete files by path, in the order of their first appearance. */
  readonly files = new Map<string, WrittenFile>();
  /** Paths that no file may have, with the reason. */
  readonly refused = new Map<string, string>();
  /** Whether the end marker came: without it the answer was cut off. */
  done = false;

  /** Pieces of a line whose end has not come yet. */
  #line: string[] = [];
  #path: string | undefined;
  #content: string[] = [];

  feed(chunk: string): void {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      this.#line.push(chunk.slice(start, end));
      this.#endLine();
      start = end + 1;
    }
    if (start < chunk.length) this.#line.push(chunk.slice(start));
  }

  /** The stream has ended: a last line without a line end is a line. */
  end(): void {
    if (this.#line.length > 0) this.#endLine();
  }

  #endLine(): void {
    const joined = this.#line.length === 1 ? (this.#line[0] ?? '') : this.#line.join('');
    this.#line = [];
    const line = joined.endsWith('\r') ? joined.slice(0, -1) : joined;
    // Every marker has a `<` near its start; lines of content mostly do not, and stay cheap.
    const marker = line.trimStart().startsWith('<');
    const opened = marker ? OPEN.exec(line)?.[1] : undefined;
    if (opened !== undefined) this.#open(opened);
    else if (this.#path === undefined) this.done ||= marker && DONE.test(line);
    else if (marker && CLOSE.test(line)) this.#close(this.#path);
    else this.#content.push(line);
  }

  #open(path: string): void {
    this.#path = path;
    this.#content = [];
  }

  #close(path: string): void {
    const problem = pathProblem(path);
    if (problem === undefined)
      this.files.set(path, { path, content: text(withoutFence(path, this.#content)) });
    else this.refused.set(path, problem);
    this.#path = undefined;
    this.#content = [];
  }
}

/** Models like to fence the content of a file; in Markdown a fence may well be the content. */
function withoutFence(path: string, lines: string[]): string[] {
  const fenced = lines.length >= 2 && FENCE.test(lines[0] ?? '') && /^\s*```\s*$/.test(lines.at(-1) ?? '');
  return fenced && !/\.(md|mdx|markdown)$/i.test(path) ? lines.slice(1, -1) : lines;
}

/** A text file ends with a line end (POSIX); an empty one has none. */
function text(lines: string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
