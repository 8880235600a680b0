import { PathSet } from '../../sites/path-set.ts';
import type {
  DeletedFile,
  ExistingFile,
  Plan,
  ProjectChange,
  UnfinishedFile,
  WrittenFile,
} from '../../stored/project-parts.ts';
import { applyBlocks } from '../edits/apply-blocks.ts';
import { anchorOf, joinLines, startsWith, unfinishedFile } from '../unfinished.ts';
import { readPlan } from './plan.ts';

interface Marker {
  readonly name: 'file' | 'edit' | 'delete' | 'plan' | 'done';
  readonly closing: boolean;
  readonly selfClosing: boolean;
  readonly path: string | undefined;
  /** Whether it continues an unfinished file. */
  readonly continues: boolean;
  /** The rest of its line. */
  readonly rest: string;
}

const NONE: readonly ProjectChange[] = [];

const LINE_FEED = 10;

/** How many single-character chunks are joined at a time. */
const BUFFER_SIZE = 512;

/**
 * Parses the output protocol as it arrives, in chunks of any size:
 *
 *     <plan>
 *     1 src/app.js: its purpose
 *     </plan>
 *     <file path="src/app.js">
 *     …the unchanged content…
 *     </file>
 *     <edit path="src/other.js">
 *     …blocks as in `applyBlocks`…
 *     </edit>
 *     <delete path="old.js"/>
 *     <done/>
 *
 * Only a project with files has edits and deletions; without files, those markers are content. A marker starts its line; an
 * opening or end marker must be alone on it. Text outside of files is ignored: prose, code fences, and everything after the
 * end marker. A file counts only with its closing marker, not if it is cut off, interrupted by the next opening marker, or
 * closed with another path. If a path repeats, the last file counts. A file whose path a deployment would reject is dropped,
 * and its path is kept in `rejected`, as is a change that is refused, that another marker interrupts, or whose blocks do not
 * all apply. A file gets all edits of an answer or none: a rejected one takes the earlier ones back, later ones are ignored
 * unless they write the file whole, and an edit counts once something else follows, in case its file has another one.
 *
 * One ambiguity remains: content with a line that looks like a marker. The marker wins: an opening one drops the file
 * around it, a closing one ends it. `<plan>`, `<delete>` and `<done/>` inside a file are content.
 *
 * The start of a line alone decides whether it is a marker (except for opening markers, which complete no file), so a
 * cut-off answer completes no file that the whole answer would not. Takes linear time.
 *
 * What a cut-off answer wrote of its last file is `unfinished`. The next answer continues it with
 * `<file path="src/app.js" continued>` and the lines of `anchorOf`, or with these lines alone; `joinLines` joins both.
 */
export class OutputParser {
  /** Complete files by path, in the order of their first appearance. */
  readonly files = new Map<string, WrittenFile>();
  /** Deletions by path. */
  readonly deleted = new Map<string, DeletedFile>();
  /** Rejected paths with the reason, as a predicate. */
  readonly rejected = new Map<string, string>();
  /** Set once the plan is complete: after its closing marker, a file, or the end marker. */
  plan: Plan = { files: [], shared: '' };
  /** Whether the end marker was found; without it the answer was cut off. */
  done = false;

  readonly #before: readonly string[];
  /** The contents of the project before the answer, and so far. */
  readonly #original: ReadonlyMap<string, string | undefined>;
  readonly #project: Map<string, string | undefined>;
  readonly #refuse: Refuse;
  readonly #changed: readonly string[];
  #unfinished: UnfinishedFile | undefined;
  /** The first lines of the answer, which may continue the unfinished file without a marker; undefined after a marker. */
  #lead: string[] | undefined;
  #paths: PathSet;
  /** The current line so far, followed by the single characters that are not joined to it yet. */
  #line = '';
  readonly #characters = new Uint16Array(BUFFER_SIZE);
  #buffered = 0;
  #path: string | undefined;
  #edits = false;
  #continues = false;
  #content: string[] = [];
  #planLines: string[] | undefined;
  /** Edits of the last file, which count unless the answer is cut off before anything else follows. */
  #edited: WrittenFile | undefined;
  #completed: ProjectChange[] = [];

  /**
   * @param before the existing files of the project
   * @param refuse returns why a change must not be made, as a predicate of its file
   * @param changed the paths of files to which the answer may repeat edits
   * @param unfinished the file that the answer is to continue
   */
  constructor(
    before: readonly ExistingFile[] = [],
    refuse: Refuse = () => undefined,
    changed: readonly string[] = [],
    unfinished?: UnfinishedFile,
  ) {
    this.#unfinished = unfinished;
    this.#lead = unfinished && [];
    this.#before = before.map(({ path }) => path);
    this.#original = new Map(before.map(({ path, content }) => [path, content]));
    this.#project = new Map(this.#original);
    this.#paths = new PathSet(this.#before);
    this.#refuse = refuse;
    this.#changed = changed;
  }

  /** Parses a chunk. @returns the changes that it completed, in order; a repeated path each time */
  feed(chunk: string): readonly ProjectChange[] {
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

  /**
   * Parses the last line, which may lack a line break.
   * @param cutOff whether more was to follow
   * @returns the changes that it completed
   */
  end(cutOff = false): readonly ProjectChange[] {
    this.#flush();
    const { length } = this.#content;
    // An opening marker may not be alone on its line once the rest arrives, and would complete nothing.
    this.#read(this.#line, true);
    // The rest of the line is missing.
    if (this.#path !== undefined) this.#content.length = length;
    this.#line = '';
    if (!cutOff) this.#keepEdits();
    return this.#takeCompleted();
  }

  /** Whether the plan has begun and not ended. */
  get isPlanning(): boolean {
    return this.#planLines !== undefined;
  }

  /** The path of the file that is being written. */
  get path(): string | undefined {
    return this.#path;
  }

  /** The file that the answer has begun but not finished, or that it was to continue and did not mention. */
  get unfinished(): UnfinishedFile | undefined {
    if (this.#path === undefined) return this.#unfinished;
    const lines = unfinishedFile(this.#path, this.#edits, this.#lines(this.#path));
    const before = this.#isContinued(this.#path) ? this.#unfinished : undefined;
    // An answer that starts a file over and gets less far adds nothing.
    return before && before.lines.length > (lines?.lines.length ?? 0) ? before : lines;
  }

  /** All changes so far, one for each path. */
  get changes(): readonly ProjectChange[] {
    return [...this.files.values(), ...this.deleted.values()];
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

  #takeCompleted(): readonly ProjectChange[] {
    if (this.#completed.length === 0) return NONE;
    const completed = this.#completed;
    this.#completed = [];
    return completed;
  }

  #read(line: string, last = false): void {
    if (this.done) return;
    const marker = markerOf(line, this.#before.length > 0);
    const alone = marker?.rest.trim() === '';
    const body = marker?.name === 'file' || marker?.name === 'edit';
    // `<file path="x"/>` opens no file: many formats have such elements.
    if (body && !marker.closing && !marker.selfClosing && marker.path !== undefined && alone && !last)
      this.#open(marker.path, marker.name === 'edit', marker.continues);
    else if (this.#path === undefined) this.#readOutside(line, alone ? marker : undefined);
    else if (body && marker.closing && this.#edits === (marker.name === 'edit'))
      this.#close(this.#path, marker);
    else this.#content.push(line.endsWith('\r') ? line.slice(0, -1) : line);
  }

  #readOutside(line: string, marker: Marker | undefined): void {
    if (marker?.name === 'done') {
      this.done = true;
      this.#keepEdits();
      this.#endPlan();
    } else if (marker?.name === 'delete' && marker.path !== undefined) {
      this.#keepEdits();
      this.#delete(marker.path);
    } else if (marker?.name === 'plan') {
      if (marker.closing) this.#endPlan();
      else this.#planLines = [];
    } else if (this.#planLines === undefined) this.#readLead(line);
    else this.#planLines.push(line);
  }

  #endPlan(): void {
    if (this.#planLines === undefined) return;
    this.plan = readPlan(this.#planLines, this.#before);
    this.#planLines = undefined;
  }

  /** Some models continue an unfinished file without its marker, but with the lines that they were to repeat. */
  #readLead(line: string): void {
    const { path, edits, lines } = this.#unfinished ?? {};
    if (this.#lead === undefined || path === undefined || lines === undefined) return;
    if (this.#lead.length === 0 && /^\s*(?:[`~]{3,}.*)?$/.test(line)) return;
    this.#lead.push(line);
    const anchor = anchorOf(lines);
    if (this.#lead.length < anchor.length || !startsWith(this.#lead, anchor)) return;
    const written = this.#lead;
    this.#open(path, edits === true, true);
    this.#content = written;
  }

  #open(path: string, edits: boolean, continues: boolean): void {
    this.#endPlan();
    if (this.#path !== undefined) this.#interrupt(this.#path);
    if (!edits || path !== this.#edited?.path) this.#keepEdits();
    this.#lead = undefined;
    this.#path = path;
    this.#edits = edits;
    this.#continues = continues;
    this.#content = [];
  }

  #isContinued(path: string): boolean {
    return this.#unfinished?.path === path && this.#unfinished.edits === this.#edits;
  }

  /** Returns the lines of the open file, with those of earlier answers. */
  #lines(path: string): string[] {
    if (this.#unfinished === undefined || !this.#isContinued(path)) return this.#content;
    return joinLines(this.#unfinished.lines, this.#content, this.#continues);
  }

  #close(path: string, marker: Marker): void {
    const lines = this.#lines(path);
    if (marker.path !== undefined && marker.path !== path) this.#interrupt(path);
    else if (this.#edits) this.#edit(path, lines);
    else this.#keep(path, text(withoutFence(path, lines)), true);
    // An edit is over, too, once the file was written whole.
    if (this.#unfinished?.path === path) this.#unfinished = undefined;
    this.#path = undefined;
    this.#content = [];
    if (marker.rest !== '') this.#read(marker.rest);
  }

  #interrupt(path: string): void {
    // An earlier whole file of this answer remains.
    const isNew = !this.#original.has(path) && !this.#edits;
    if (this.#project.has(path) && !isNew) this.#reject(path, 'has no closing marker of its own');
  }

  #edit(path: string, lines: readonly string[]): void {
    if (this.rejected.has(path)) return;
    const content = this.#project.get(path);
    if (content === undefined) {
      const what = this.#project.has(path)
        ? 'edits a file that is not text'
        : 'edits a file that does not exist';
      return void this.#reject(path, what);
    }
    const edited = applyBlocks(content, lines, this.#changed.includes(path));
    if ('problem' in edited) this.#reject(path, edited.problem);
    else this.#keep(path, edited.content, false);
  }

  /** Also takes back what the answer changed in the file before: the rest of its change is missing. */
  #reject(path: string, problem: string): void {
    this.rejected.set(path, problem);
    if (this.#edited?.path === path) {
      this.#edited = undefined;
      this.#project.set(path, this.files.get(path)?.content ?? this.#original.get(path));
    }
    if (!this.files.has(path) && !this.deleted.has(path)) return;
    const content = this.#original.get(path);
    if (content !== undefined) this.#write({ path, content });
    else if (!this.#original.has(path)) this.#remove(path);
  }

  #keep(path: string, content: string, whole: boolean): void {
    const file = { path, content };
    const problem = this.#refuse(file, this.#project.get(path), whole) ?? this.#paths.add(path);
    if (problem !== undefined) return void this.#reject(path, problem);
    this.rejected.delete(path);
    if (whole) return void this.#write(file);
    this.#edited = file;
    this.#project.set(path, content);
  }

  #keepEdits(): void {
    if (this.#edited !== undefined) this.#write(this.#edited);
    this.#edited = undefined;
  }

  #write(file: WrittenFile): void {
    this.#project.set(file.path, file.content);
    this.deleted.delete(file.path);
    this.files.set(file.path, file);
    this.#completed.push(file);
  }

  #delete(path: string): void {
    if (!this.#project.has(path)) return;
    const problem = this.#refuse({ path, content: null }, this.#project.get(path), true);
    if (problem !== undefined) return void this.#reject(path, problem);
    this.rejected.delete(path);
    this.#remove(path);
  }

  #remove(path: string): void {
    const file = { path, content: null };
    this.#project.delete(path);
    this.#paths = new PathSet(this.#project.keys());
    this.deleted.set(path, file);
    this.files.delete(path);
    this.#completed.push(file);
  }
}

/**
 * @param before the content that the change replaces; undefined without one
 * @param whole whether the file was written whole, in place of an edit of some of its lines
 */
export type Refuse = (
  change: ProjectChange,
  before: string | undefined,
  whole: boolean,
) => string | undefined;

const MARKER = /^\s*<(\/?)(file|edit|delete|plan|done)(?=[\s/>])((?:"[^"]*"|'[^']*'|[^"'>])*)>/i;
const PATH = /\spath\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
/** Far more than the longest path needs. Bounds the cost of a line: a marker must end within this many characters. */
const LONGEST_MARKER = 4_096;

/** @param edits whether there are files to edit and to delete */
function markerOf(line: string, edits: boolean): Marker | undefined {
  const match = MARKER.exec(line.length > LONGEST_MARKER ? line.slice(0, LONGEST_MARKER) : line);
  if (match === null) return undefined;
  const [whole, slash, name = '', attributes = ''] = match;
  const known = name.toLowerCase() as Marker['name'];
  if (!edits && (known === 'edit' || known === 'delete')) return undefined;
  const selfClosing = attributes.endsWith('/');
  const path = PATH.exec(selfClosing ? attributes.slice(0, -1) : attributes);
  return {
    name: known,
    closing: slash === '/',
    selfClosing,
    path: (path?.[1] ?? path?.[2] ?? path?.[3])?.replace(/^\.\//, ''),
    continues: /\scontinued\b/i.test(attributes),
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
