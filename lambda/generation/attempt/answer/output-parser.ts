import type {
  ExistingFile,
  Plan,
  ProjectChange,
  UnfinishedFile,
  WrittenFile,
} from '../../../stored/projects/stored-project.ts';
import { isExample } from '../../instructions.ts';
import { anchorOf, joinLines, startsWith, unfinishedFile } from '../../unfinished.ts';
import { AnsweredChanges, type Refuse } from './answered-changes.ts';
import { isDiff, withoutWrapper } from './other-formats.ts';
import {
  type FoundMarker,
  findMarker,
  findTrailingEnd,
  LineSplitter,
  type Marker,
  markerOf,
  readPlan,
  type TrailingEnd,
  withoutTokens,
} from './protocol.ts';
import { Thoughts, unopenedEnd } from './thoughts.ts';

const NONE: readonly ProjectChange[] = [];
/** An answer may have this many lines of prose between two files. */
const MOST_WORDS_BETWEEN = 3;
/** A line that may end a thought, and then begins what an answer begins with. */
const OPENS_AT_END = /[>\]▷]\s*<(?:file|edit|plan)\b[^<>]*>\s*$/i;
const NO_PLAN: Plan = { files: [], shared: '' };

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
 * Only a project with files has edits and deletions; without files, those markers are content. Text outside of files is
 * ignored: prose, code fences, thoughts (see `Thoughts`), the examples of the instructions, and everything after the end
 * marker. What was written before a thought ended that no tag had begun was a draft, and is taken back once the answer
 * begins; an end marker in a sentence, or before anything was written, does not count if more follows.
 *
 * Outside of files, other text may stand beside a marker (see `findMarker`). Inside of a file, only a marker that starts
 * its line counts, and an opening marker must be alone on it. A closing marker behind content counts if the file would
 * be lost otherwise: if another marker, or the end of the answer, follows. That marker may have content behind it if the
 * file began behind its own.
 *
 * A file counts only with its closing marker, not if it is cut off, interrupted by the next opening marker, or closed
 * with another path. The path of a file that is not kept is in `rejected`, whether a deployment would reject the path, a
 * change is refused, another marker interrupts it, or its blocks do not all apply (see `AnsweredChanges`).
 *
 * One ambiguity remains: content with a line that looks like a marker. The marker wins: an opening one drops the file
 * around it, a closing one ends it. `<plan>`, `<delete>` and `<done/>` inside a file are content.
 *
 * A cut-off answer completes no file that the whole answer would not. Takes linear time.
 *
 * `unfinished` has the lines that a cut-off answer wrote of its last file. The next answer continues it with
 * `<file path="src/app.js" continued>` and the lines of `anchorOf`, or with these lines alone; `joinLines` joins both.
 */
export class OutputParser {
  /** Set once the plan is complete: after its closing marker, a file, or the end marker. */
  plan: Plan = NO_PLAN;
  /** Whether the end marker was found; without it the answer was cut off. */
  done = false;
  /** Whether any marker was found: an answer without one is in another format. */
  hasMarkers = false;
  /** How many drafts were taken back. */
  drafts = 0;
  /** The changes so far: files, deletions, and what was rejected. */
  readonly changes: AnsweredChanges;

  readonly #before: readonly string[];
  readonly #splitter = new LineSplitter((line) => this.#read(line));
  readonly #thoughts = new Thoughts();
  /** The file that the answer is to continue. */
  readonly #given: UnfinishedFile | undefined;
  #unfinished: UnfinishedFile | undefined;
  /** Whether there is text before the first marker. */
  #hasPreface = false;
  /** Whether everything so far was a thought, which the next marker discards. */
  #isDraft = false;
  /** Whether the end marker does not count if another marker follows. */
  #isSoftEnd = false;
  /**
   * The first lines of the answer, which may continue the unfinished file without a marker; undefined after a marker.
   */
  #lead: string[] | undefined;
  /** The open file: its path, whether it is edited, whether it continues the unfinished one, and its lines so far. */
  #path: string | undefined;
  #edits = false;
  #continues = false;
  #content: string[] = [];
  #size = 0;
  /** The last closing marker in the open file that ends a line of content, with the index of that line. */
  #trailingEnd: (TrailingEnd & { readonly at: number }) | undefined;
  #planLines: string[] | undefined;
  /** The name of a file whose opening marker could not be read; its closing marker tells that it was one. */
  #unread: string | undefined;
  /** Whether there is prose before the opening marker of the open file, on its line. */
  #isInProse = false;
  /** Whether the open file begins behind its opening marker, on its line. */
  #isInline = false;

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
    this.changes = new AnsweredChanges(before, refuse, changed);
    this.#given = unfinished;
    this.#unfinished = unfinished;
    this.#lead = unfinished && [];
  }

  /** Parses a chunk. @returns the changes that it completed, in order; a repeated path each time */
  feed(chunk: string): readonly ProjectChange[] {
    return this.#splitter.add(chunk) ? this.changes.takeCompleted() : NONE;
  }

  /**
   * Parses the last line, which may lack a line break.
   * @param cutOff whether more was to follow
   * @returns the changes that it completed
   */
  end(cutOff = false): readonly ProjectChange[] {
    const { length } = this.#content;
    this.#read(this.#splitter.takeRest(), cutOff);
    if (!cutOff && this.#path !== undefined) this.#endAtLastLine(this.#path);
    if (!cutOff && this.#path !== undefined) this.#endBehindContent(this.#path);
    // The rest of the line is missing.
    if (this.#path !== undefined) this.#content.length = Math.min(this.#content.length, length);
    if (!cutOff) this.changes.keepEdits();
    return this.changes.takeCompleted();
  }

  /** Takes the files of a complete answer in another format. @returns the changes that they complete */
  takeFiles(files: readonly WrittenFile[]): readonly ProjectChange[] {
    for (const { path, content } of files) this.changes.write(path, content);
    this.done = true;
    return this.changes.takeCompleted();
  }

  /** Complete files by path, in the order of their first appearance. */
  get files(): AnsweredChanges['files'] {
    return this.changes.files;
  }

  /** Rejected paths with the reason, as a predicate. */
  get rejected(): AnsweredChanges['rejected'] {
    return this.changes.rejected;
  }

  /** Whether the end marker counts, regardless of what follows. */
  get isEnded(): boolean {
    return this.done && !this.#isSoftEnd;
  }

  /** Whether a thought has begun and not ended. */
  get isThinking(): boolean {
    return this.#thoughts.isOpen;
  }

  /** Whether everything so far can still turn out to be a thought. An answer alone begins with its first marker. */
  get mayBeThought(): boolean {
    return this.#hasPreface && this.drafts === 0;
  }

  /** Whether the plan has begun and not ended. */
  get isPlanning(): boolean {
    return this.#planLines !== undefined;
  }

  /** The path of the file that is being written. */
  get path(): string | undefined {
    return this.#path;
  }

  /** The number of characters of the file that is being written. */
  get size(): number {
    return this.#path === undefined ? 0 : this.#size;
  }

  /** The file that the answer has begun but not finished, or that it was to continue and did not mention. */
  get unfinished(): UnfinishedFile | undefined {
    if (this.#path === undefined) return this.#unfinished;
    const lines = unfinishedFile(this.#path, this.#edits, this.#lines(this.#path));
    const before = this.#isContinued(this.#path) ? this.#unfinished : undefined;
    // An answer that starts a file over and gets less far adds nothing.
    return before && before.lines.length > (lines?.lines.length ?? 0) ? before : lines;
  }

  /** @param last whether more of the line was to follow: a marker that begins something may not be alone on it */
  #read(line: string, last = false): void {
    if (this.#path === undefined) this.#readOutside(line, last);
    else this.#readInside(this.#path, line, last);
  }

  #readInside(path: string, line: string, last: boolean): void {
    const end = !last && OPENS_AT_END.test(line) ? unopenedEnd(line) : undefined;
    if (end !== undefined && end < line.length) {
      this.#readInside(path, line.slice(0, end), false);
      this.#read(line.slice(end));
      return;
    }
    const marker = markerOf(line, this.#before.length > 0);
    const alone = marker?.rest.trim() === '';
    if (marker?.opens !== undefined && alone && !last) {
      if (!this.#endBehindContent(path)) this.#interrupt(path);
      if (this.#begin()) this.#open(marker);
    } else if (marker && this.#edits && !last && alone && this.#isBehindBlock && isEndOfEdit(marker)) {
      this.#complete(path);
      this.#readOutside(line, last);
    } else if (marker?.closing && marker.name === this.#name) this.#close(path, marker, last);
    else if (!last && this.#endsTrailing(line, marker)) {
      this.#endBehindContent(path);
      this.#readOutside(line, last);
    } else this.#readContent(path, line.endsWith('\r') ? line.slice(0, -1) : line, last);
  }

  #readContent(path: string, line: string, last: boolean): void {
    const end = findTrailingEnd(line, this.#name, this.#before.length > 0);
    if (end !== undefined) this.#trailingEnd = { at: this.#content.length, ...end };
    this.#content.push(line);
    this.#size += line.length + 1;
    // More may follow on the last line.
    if (end !== undefined && end.rest !== '' && !last) this.#endBehindContent(path);
  }

  /** Whether the open edit is between two blocks, where lines are not content. */
  get #isBehindBlock(): boolean {
    const end = this.#content.findLast((line) => line.trim() !== '');
    return end !== undefined && /^\s*>{5,9} *REPLACE\b/i.test(end);
  }

  get #name(): 'file' | 'edit' {
    return this.#edits ? 'edit' : 'file';
  }

  /**
   * Whether a line shows that the closing marker behind content, which only blank lines followed, was one: the end marker,
   * or the start of a file whose content begins behind its opening marker, as that of the open file does.
   */
  #endsTrailing(line: string, marker: Marker | undefined): boolean {
    const begins = this.#isInline && marker?.opens !== undefined;
    if (this.#trailingEnd === undefined || !(begins || marker?.name === 'done')) return false;
    if (this.#content.findLastIndex((other) => other.trim() !== '') !== this.#trailingEnd.at) return false;
    return begins ? findMarker(line, this.#before.length > 0) !== undefined : marker?.rest.trim() === '';
  }

  /** Ends the open file at its last closing marker behind content. @returns whether there was one */
  #endBehindContent(path: string): boolean {
    if (this.#trailingEnd === undefined) return false;
    const { at, content, rest } = this.#trailingEnd;
    const outside = [rest, ...this.#content.slice(at + 1)];
    // With more lines after it, the marker is content, such as a template in a script.
    if (outside.filter((line) => line.trim() !== '').length > MOST_WORDS_BETWEEN) return false;
    this.#content = [...this.#content.slice(0, at), content];
    this.#complete(path);
    for (const line of outside) this.#readOutside(line, false);
    return true;
  }

  /** Ends the open file at an end marker that is the last line of a complete answer: only its closing marker is missing. */
  #endAtLastLine(path: string): void {
    const at = this.#content.findLastIndex((line) => withoutTokens(line).trim() !== '');
    const marker = markerOf(withoutTokens(this.#content[at] ?? ''), this.#before.length > 0);
    if (at < 1 || marker?.name !== 'done' || marker.rest.trim() !== '') return;
    const trailing = this.#trailingEnd;
    if (trailing !== undefined) return;
    this.#content = this.#content.slice(0, at);
    this.#complete(path);
    this.#readOutside('<done/>', false);
  }

  #interrupt(path: string): void {
    this.#path = undefined;
    const behind = behindThought(this.#content);
    if (behind !== undefined) {
      this.#isDraft = true;
      for (const line of behind) this.#readOutside(line, false);
      return;
    }
    const isEmpty = this.#content.every((line) => line.trim() === '');
    if (!this.#isInProse || (!isEmpty && /[./]/.test(path))) this.changes.interrupt(path, this.#edits);
  }

  #readOutside(line: string, last: boolean): void {
    const { text, endsThought } = this.#thoughts.read(line);
    if (endsThought) this.#isDraft = true;
    const found = findMarker(text, this.#before.length > 0);
    if (!last && found?.marker.opens === undefined && !found?.marker.closing)
      this.#unread = unreadFile(text) ?? this.#unread;
    const begins = found !== undefined && !found.marker.closing && found.marker.name !== 'done';
    if (found === undefined || (last && begins)) this.#readText(text);
    else this.#readMarker(found);
  }

  #readMarker({ marker, before, content }: FoundMarker): void {
    if (before.trim() !== '') this.#hasPreface ||= !this.hasMarkers;
    // Words about the files above.
    if (this.isEnded && before.trim() !== '') return;
    if (before.trim() !== '') this.#planLines?.push(before);
    if (marker.opens !== undefined) {
      if (!this.#begin()) return;
      this.#open(marker);
      this.#isInProse = before.trim() !== '';
      this.#isInline = content !== undefined;
      if (content !== undefined) this.#readContent(marker.opens, content, false);
    } else if (marker.name === 'plan' && !marker.closing) {
      if (this.#begin()) this.#planLines = [];
    } else if (marker.name === 'plan') this.#endPlan();
    else if (marker.name === 'delete' && marker.path !== undefined) {
      if (!this.#begin()) return;
      this.changes.keepEdits();
      this.changes.delete(marker.path);
    } else if (marker.name === 'done') this.#end(before);
    else if (marker.name === 'file' && marker.closing && this.#unread !== undefined) {
      this.changes.rejected.set(this.#unread, 'has an opening marker that cannot be read');
      this.#unread = undefined;
    }
  }

  /** Begins a file, a plan or a deletion. @returns whether it counts, which it does not after the end marker */
  #begin(): boolean {
    if (this.#isDraft) {
      this.drafts++;
      this.changes.takeBack();
      this.plan = NO_PLAN;
      this.#planLines = undefined;
      this.#unfinished = this.#given;
    } else if (this.done && !this.#isSoftEnd) return false;
    this.hasMarkers = true;
    this.#thoughts.forgetOpening();
    this.done = false;
    this.#isDraft = false;
    return true;
  }

  /** @param before the words before the end marker on its line */
  #end(before: string): void {
    this.changes.keepEdits();
    this.#endPlan();
    if (this.done) return;
    const isEmpty = this.changes.all.length === 0 && this.plan.files.length === 0;
    this.#isSoftEnd = isEmpty || before.trim() !== '';
    this.done = true;
  }

  #endPlan(): void {
    if (this.#planLines === undefined) return;
    if (!isExample(this.#planLines)) this.plan = readPlan(this.#planLines, this.#before);
    this.#planLines = undefined;
  }

  #readText(line: string): void {
    if (!this.hasMarkers && /\w/.test(withoutTokens(line))) this.#hasPreface = true;
    if (this.#planLines === undefined) this.#readLead(line);
    else this.#planLines.push(line);
  }

  /** Reads a continuation without a marker: some models only repeat the last lines of the unfinished file and go on. */
  #readLead(line: string): void {
    const { path, edits, lines } = this.#unfinished ?? {};
    if (this.#lead === undefined || path === undefined || lines === undefined) return;
    if (this.#lead.length === 0 && /^\s*(?:[`~]{3,}.*)?$/.test(line)) return;
    this.#lead.push(line);
    const anchor = anchorOf(lines);
    const written = this.#lead.slice(-anchor.length);
    if (written.length < anchor.length || !startsWith(written, anchor)) return;
    if (!this.#begin()) return;
    this.#openFile(path, edits === true, true);
    this.#content = written;
  }

  #open({ opens, name, continues }: Marker): void {
    if (opens !== undefined) this.#openFile(opens, name === 'edit', continues);
  }

  #openFile(path: string, edits: boolean, continues: boolean): void {
    this.#endPlan();
    if (!edits || !this.changes.isEditing(path)) this.changes.keepEdits();
    this.#lead = undefined;
    this.#unread = undefined;
    this.#path = path;
    this.#isInProse = false;
    this.#isInline = false;
    this.#edits = edits;
    this.#continues = continues;
    this.#content = [];
    const before = this.#isContinued(path) ? (this.#unfinished?.lines ?? []) : [];
    this.#size = before.reduce((sum, line) => sum + line.length + 1, 0);
    this.#trailingEnd = undefined;
  }

  #isContinued(path: string): boolean {
    return this.#unfinished?.path === path && this.#unfinished.edits === this.#edits;
  }

  /** Returns the lines of the open file, with those of earlier answers. */
  #lines(path: string): string[] {
    if (this.#unfinished === undefined || !this.#isContinued(path)) return this.#content;
    return joinLines(this.#unfinished.lines, this.#content, this.#continues);
  }

  #close(path: string, marker: Marker, last: boolean): void {
    if (marker.path !== undefined && marker.path !== path) {
      this.changes.interrupt(path, this.#edits);
      this.#path = undefined;
    } else this.#complete(path);
    if (marker.rest !== '') this.#readOutside(marker.rest, last);
  }

  /** Takes the open file with the lines that it has. */
  #complete(path: string): void {
    const lines = this.#lines(path);
    if (!isExample(lines)) {
      if (this.#edits || (this.#before.includes(path) && isBlocks(path, lines))) this.changes.edit(path, lines);
      else this.changes.write(path, text(withoutWrapper(path, lines)));
    }
    // An edit is over, too, once the file was written whole.
    if (this.#unfinished?.path === path) this.#unfinished = undefined;
    this.#path = undefined;
    this.#content = [];
    this.#trailingEnd = undefined;
  }
}

/**
 * Returns the lines behind the end of a thought in which a file was begun: blank ones, some words, and a plan. Behind any
 * others, the end of the thought was content.
 */
function behindThought(content: readonly string[]): readonly string[] | undefined {
  const at = content.findLastIndex((line) => unopenedEnd(line) !== undefined);
  const line = content[at];
  if (line === undefined) return undefined;
  const behind = [line.slice(unopenedEnd(line)), ...content.slice(at + 1)];
  const plan = behind.findIndex((line) => findMarker(line, false)?.marker.name === 'plan');
  const words = (plan === -1 ? behind : behind.slice(0, plan)).filter((line) => line.trim() !== '');
  return words.length > MOST_WORDS_BETWEEN ? undefined : behind;
}

/** Returns the name of the file that a line outside of files seems to open. */
function unreadFile(line: string): string | undefined {
  const [, attributes] = /^\s*<file\b([^>]{0,1000})(?:>|$)/i.exec(line) ?? [];
  if (attributes === undefined || attributes.endsWith('/')) return undefined;
  return /=\s*["']?([^"'>\s]+)/.exec(attributes)?.[1] ?? 'a file without a path';
}

/** Whether a file consists of blocks of any kind, or of a diff, as a model writes them that takes the wrong marker. */
function isBlocks(path: string, lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== '');
  const [first = ''] = filled;
  if (isDiff(first)) return !/\.(?:diff|patch)$/i.test(path);
  return /^\s*<{5,9} *\w/.test(first) && /^\s*>{5,9} *\w/.test(filled.at(-1) ?? '');
}

function isEndOfEdit({ name, closing, path }: Marker): boolean {
  return (closing && name === 'file') || name === 'done' || (name === 'delete' && path !== undefined);
}

/** Returns lines as a text file, which ends with a line break (POSIX) unless it is empty. */
function text(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
