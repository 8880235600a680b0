import { count, printable, sizeOf } from '../../terminal/text.ts';
import { type AppliedChanges, type ProjectFolder, ProjectWriter } from '../folder/project-writer.ts';

/** The destination of the files of a generation. */
export interface ProjectOutput {
  /** The paths of the project that is changed; undefined for another folder than its own. */
  readonly before: ReadonlySet<string> | undefined;
  /** Takes a file of the project as soon as it is complete. */
  take(path: string, content: Buffer): void;
  /** Takes the whole project. */
  finish(project: ReadonlyMap<string, Buffer>): void;
  /** Returns a summary of the written files, such as `3 files, 12 KB`. */
  summary(): string;
  /** Returns a summary of the files kept after a failure, such as `2 complete files`; undefined if there are none. */
  left(): string | undefined;
  /** Fields of the result with `--json`. */
  readonly fields: object;
  /** The files that were not written, with the reason. */
  readonly refused: readonly string[];
  /** True if the folder lacks a part of the project for such a reason. */
  readonly isPartial: boolean;
}

/** Writes each file to a folder of its own as soon as it is complete. */
export class NewFolder implements ProjectOutput {
  readonly before = undefined;
  readonly fields = {};
  readonly isPartial = false;
  readonly #writer: ProjectWriter;
  #bytes = 0;

  /** @throws Error if the folder has files, unless `force` */
  constructor(folder: string, force: boolean | undefined) {
    this.#writer = new ProjectWriter(folder, force);
  }

  take(path: string, content: Buffer): void {
    this.#writer.write(path, content);
  }

  finish(project: ReadonlyMap<string, Buffer>): void {
    for (const [path, content] of project) this.take(path, content);
    this.#bytes = [...project.values()].reduce((sum, { length }) => sum + length, 0);
  }

  summary(): string {
    return `${count(this.#writer.count, 'file')}, ${sizeOf(this.#bytes)},`;
  }

  left(): string | undefined {
    return this.#writer.count > 0 ? count(this.#writer.count, 'complete file') : undefined;
  }

  get refused(): string[] {
    return [...this.#writer.refused].map(
      (path) => `Not written, because other tools would trust it: ${printable(path)}`,
    );
  }
}

/** Changes a folder in place, at the end and not before: a change is made as a whole. */
export class ChangedFolder implements ProjectOutput {
  readonly before: ReadonlySet<string>;
  readonly #folder: ProjectFolder;
  #applied: AppliedChanges = { changes: [], kept: [] };

  constructor(folder: ProjectFolder) {
    this.#folder = folder;
    this.before = new Set(folder.files.map(({ path }) => path));
  }

  take(): void {}

  finish(project: ReadonlyMap<string, Buffer>): void {
    this.#applied = this.#folder.apply(project);
  }

  summary(): string {
    const numberOf = (kind: string) => this.#applied.changes.filter(({ change }) => change === kind).length;
    const parts = ['changed', 'added', 'deleted'].flatMap((kind) =>
      numberOf(kind) > 0 ? [`${numberOf(kind)} ${kind}`] : [],
    );
    return parts.join(', ') || 'nothing changed';
  }

  left(): undefined {}

  get fields(): AppliedChanges {
    return this.#applied;
  }

  get refused(): string[] {
    return this.#applied.kept.map(({ path, change, reason }) => `Not ${change}: ${printable(path)}, because ${reason}`);
  }

  get isPartial(): boolean {
    return this.#applied.kept.length > 0;
  }
}
