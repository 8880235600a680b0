import { isCorrected, PathSet } from '../../../sites/paths.ts';
import type { DeletedFile, ExistingFile, ProjectChange, WrittenFile } from '../../../stored/projects/stored-project.ts';
import { applyBlocks } from '../../edits/apply-blocks.ts';

/**
 * @param before the content that the change replaces; undefined without one
 * @param whole whether the file was written whole, instead of an edit of some of its lines
 */
export type Refuse = (change: ProjectChange, before: string | undefined, whole: boolean) => string | undefined;

const NONE: readonly ProjectChange[] = [];

/**
 * The changes of an answer. If a path repeats, the last file counts. A file gets all edits of the answer or none: a
 * rejected one takes the earlier ones back, later ones are ignored unless they write the file whole, and an edit counts
 * once something else follows, in case its file has another one.
 */
export class AnsweredChanges {
  /** Complete files by path, in the order of their first appearance. */
  readonly files = new Map<string, WrittenFile>();
  /** Deletions by path. */
  readonly deleted = new Map<string, DeletedFile>();
  /** Rejected paths with the reason, as a predicate. */
  readonly rejected = new Map<string, string>();
  /** The contents of the project before the answer, and so far; undefined for a file that is not text. */
  readonly #original: ReadonlyMap<string, string | undefined>;
  readonly #project: Map<string, string | undefined>;
  readonly #refuse: Refuse;
  readonly #changed: readonly string[];
  #paths: PathSet;
  /** Edits of the last file, which count unless the answer is cut off before anything else follows. */
  #edited: WrittenFile | undefined;
  #completed: ProjectChange[] = [];

  /**
   * @param before the existing files of the project
   * @param refuse returns why a change must not be made, as a predicate of its file
   * @param changed the paths of files to which the answer may repeat edits
   */
  constructor(before: readonly ExistingFile[], refuse: Refuse, changed: readonly string[]) {
    this.#original = new Map(before.map(({ path, content }) => [path, content]));
    this.#project = new Map(this.#original);
    this.#paths = new PathSet(this.#original.keys());
    this.#refuse = refuse;
    this.#changed = changed;
  }

  /** All changes so far, one for each path. */
  get all(): readonly ProjectChange[] {
    return [...this.files.values(), ...this.deleted.values()];
  }

  /** Returns the changes that were completed since the last call, in order; a repeated path each time. */
  takeCompleted(): readonly ProjectChange[] {
    if (this.#completed.length === 0) return NONE;
    const completed = this.#completed;
    this.#completed = [];
    return completed;
  }

  /** Writes a file whole. */
  write(path: string, content: string): void {
    this.#keep(path, content, true);
  }

  /** Applies blocks to a file. */
  edit(path: string, blocks: readonly string[]): void {
    if (this.rejected.has(path)) return;
    const content = this.#project.get(path);
    if (content === undefined) {
      const isBinary = this.#project.has(path);
      this.#reject(path, `edits a file that ${isBinary ? 'is not text' : 'does not exist'}`);
      return;
    }
    const edited = applyBlocks(content, blocks, this.#changed.includes(path));
    if ('problem' in edited) this.#reject(path, edited.problem);
    else this.#keep(path, edited.content, false);
  }

  delete(path: string): void {
    if (!this.#project.has(path)) return;
    const problem = this.#refuse({ path, content: null }, this.#project.get(path), true);
    if (problem !== undefined) {
      this.#reject(path, problem);
      return;
    }
    this.rejected.delete(path);
    this.#remove(path);
  }

  /** Rejects a change that another marker interrupts. An earlier whole file of this answer remains, if it is new. */
  interrupt(path: string, edits: boolean): void {
    if (edits || !this.#isNew(path)) this.#reject(path, 'has no closing marker of its own');
  }

  /** Whether this answer wrote a file that the project did not have. */
  #isNew(path: string): boolean {
    return this.files.has(path) && !this.#original.has(path);
  }

  /** Takes everything back that the answer has changed so far. */
  takeBack(): void {
    const changed = [...this.files.keys(), ...this.deleted.keys()];
    this.#edited = undefined;
    this.rejected.clear();
    for (const path of changed) this.#restore(path);
    this.files.clear();
    this.deleted.clear();
    for (const [path, content] of this.#original) this.#project.set(path, content);
    this.#paths = new PathSet(this.#original.keys());
  }

  /** Whether the last change edits this file, so that another edit of it may follow. */
  isEditing(path: string): boolean {
    return this.#edited?.path === path;
  }

  /** Completes the edits of the last file. */
  keepEdits(): void {
    if (this.#edited !== undefined) this.#write(this.#edited);
    this.#edited = undefined;
  }

  #keep(path: string, content: string, whole: boolean): void {
    const file = { path, content };
    const problem = this.#refuse(file, this.#project.get(path), whole) ?? this.#paths.add(path);
    if (problem !== undefined) {
      // The earlier version of a new file remains.
      if (whole && this.#isNew(path)) this.rejected.set(path, problem);
      else this.#reject(path, problem);
      return;
    }
    this.rejected.delete(path);
    if (whole) {
      for (const other of this.rejected.keys()) if (isCorrected(other, path)) this.rejected.delete(other);
      this.#write(file);
      return;
    }
    this.#edited = file;
    this.#project.set(path, content);
  }

  /** Also takes back what the answer changed in the file before: the rest of its change is missing. */
  #reject(path: string, problem: string): void {
    this.rejected.set(path, problem);
    if (this.#edited?.path === path) {
      this.#edited = undefined;
      this.#project.set(path, this.files.get(path)?.content ?? this.#original.get(path));
    }
    if (this.files.has(path) || this.deleted.has(path)) this.#restore(path);
  }

  #restore(path: string): void {
    const content = this.#original.get(path);
    if (content !== undefined) this.#write({ path, content });
    else if (!this.#original.has(path)) this.#remove(path);
  }

  #write(file: WrittenFile): void {
    this.#project.set(file.path, file.content);
    this.deleted.delete(file.path);
    this.files.set(file.path, file);
    this.#completed.push(file);
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
