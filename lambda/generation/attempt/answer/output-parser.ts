import type {
  ExistingFile,
  Plan,
  ProjectChange,
  UnfinishedFile,
} from '../../../stored/projects/stored-project.ts';
import { anchorOf, joinLines, startsWith, unfinishedFile } from '../../unfinished.ts';
import { AnsweredChanges, type Refuse } from './answered-changes.ts';
import { LineSplitter, type Marker, markerOf, readPlan } from './protocol.ts';

const NONE: readonly ProjectChange[] = [];

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
 * Only a project with files has edits and deletions; without files, those markers are content. A marker starts its
 * line; an opening or end marker must be alone on it. Text outside of files is ignored: prose, code fences, and
 * everything after the end marker. A file counts only with its closing marker, not if it is cut off, interrupted by the
 * next opening marker, or closed with another path. A file whose path a deployment would reject is dropped, and its
 * path is kept in `rejected`, as is a change that is refused, that another marker interrupts, or whose blocks do not
 * all apply (see `AnsweredChanges`).
 *
 * One ambiguity remains: content with a line that looks like a marker. The marker wins: an opening one drops the file
 * around it, a closing one ends it. `<plan>`, `<delete>` and `<done/>` inside a file are content.
 *
 * The start of a line alone decides whether it is a marker (except for opening markers, which complete no file), so a
 * cut-off answer completes no file that the whole answer would not. Takes linear time.
 *
 * `unfinished` has the lines that a cut-off answer wrote of its last file. The next answer continues it with
 * `<file path="src/app.js" continued>` and the lines of `anchorOf`, or with these lines alone; `joinLines` joins both.
 */
export class OutputParser {
  /** Set once the plan is complete: after its closing marker, a file, or the end marker. */
  plan: Plan = { files: [], shared: '' };
  /** Whether the end marker was found; without it the answer was cut off. */
  done = false;

  readonly #before: readonly string[];
  readonly #changes: AnsweredChanges;
  readonly #splitter = new LineSplitter((line) => this.#read(line));
  #unfinished: UnfinishedFile | undefined;
  /**
   * The first lines of the answer, which may continue the unfinished file without a marker; undefined after a marker.
   */
  #lead: string[] | undefined;
  /** The open file: its path, whether it is edited, whether it continues the unfinished one, and its lines so far. */
  #path: string | undefined;
  #edits = false;
  #continues = false;
  #content: string[] = [];
  #planLines: string[] | undefined;

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
    this.#before = before.map(({ path }) => path);
    this.#changes = new AnsweredChanges(before, refuse, changed);
    this.#unfinished = unfinished;
    this.#lead = unfinished && [];
  }

  /** Parses a chunk. @returns the changes that it completed, in order; a repeated path each time */
  feed(chunk: string): readonly ProjectChange[] {
    return this.#splitter.add(chunk) ? this.#changes.takeCompleted() : NONE;
  }

  /**
   * Parses the last line, which may lack a line break.
   * @param cutOff whether more was to follow
   * @returns the changes that it completed
   */
  end(cutOff = false): readonly ProjectChange[] {
    const { length } = this.#content;
    // An opening marker may not be alone on its line once the rest arrives, and would complete nothing.
    this.#read(this.#splitter.takeRest(), true);
    // The rest of the line is missing.
    if (this.#path !== undefined) this.#content.length = length;
    if (!cutOff) this.#changes.keepEdits();
    return this.#changes.takeCompleted();
  }

  /** Complete files by path, in the order of their first appearance. */
  get files(): AnsweredChanges['files'] {
    return this.#changes.files;
  }

  /** Deletions by path. */
  get deleted(): AnsweredChanges['deleted'] {
    return this.#changes.deleted;
  }

  /** Rejected paths with the reason, as a predicate. */
  get rejected(): AnsweredChanges['rejected'] {
    return this.#changes.rejected;
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
    return this.#changes.all;
  }

  #read(line: string, last = false): void {
    if (this.done) return;
    const marker = markerOf(line, this.#before.length > 0);
    const alone = marker?.rest.trim() === '';
    if (marker?.opens !== undefined && alone && !last)
      this.#open(marker.opens, marker.name === 'edit', marker.continues);
    else if (this.#path === undefined) this.#readOutside(line, alone ? marker : undefined);
    else if (marker?.closing && marker.name === (this.#edits ? 'edit' : 'file'))
      this.#close(this.#path, marker);
    else this.#content.push(line.endsWith('\r') ? line.slice(0, -1) : line);
  }

  #readOutside(line: string, marker: Marker | undefined): void {
    if (marker?.name === 'done') {
      this.done = true;
      this.#changes.keepEdits();
      this.#endPlan();
    } else if (marker?.name === 'delete' && marker.path !== undefined) {
      this.#changes.keepEdits();
      this.#changes.delete(marker.path);
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
    if (this.#path !== undefined) this.#changes.interrupt(this.#path, this.#edits);
    if (!edits || !this.#changes.isEditing(path)) this.#changes.keepEdits();
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
    if (marker.path !== undefined && marker.path !== path) this.#changes.interrupt(path, this.#edits);
    else if (this.#edits) this.#changes.edit(path, lines);
    else this.#changes.write(path, text(withoutFence(path, lines)));
    // An edit is over, too, once the file was written whole.
    if (this.#unfinished?.path === path) this.#unfinished = undefined;
    this.#path = undefined;
    this.#content = [];
    if (marker.rest !== '') this.#read(marker.rest);
  }
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
