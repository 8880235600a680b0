import type { GeneratedFile } from '../../contract/responses/generate.ts';

/** A complete file: its content is an object in S3. */
export interface StoredFile extends Pick<GeneratedFile, 'path' | 'language'> {
  readonly bytes: number;
  readonly characters: number;
  readonly key: string;
  /** The attempt that wrote it; 0 for an image of the caller, which no attempt changes. */
  readonly attempt: number;
}

/** An entry of a generation's log that changes its project. */
export type ProjectEvent =
  | ({ readonly type: 'file' } & StoredFile)
  | { readonly type: 'deleted'; readonly path: string; readonly attempt: number };

/** The attributes of a generation's item that make up its project. */
export interface StoredProject {
  /** The key of the archive of the project that the generation changes. Absent if it starts from nothing. */
  readonly base?: string | undefined;
  readonly log: readonly (ProjectEvent | { readonly type: 'queued' | 'attempt' | 'plan' | 'look' })[];
}

/** Statuses with a project. `incomplete` is one whose last answer broke off with no provider left to continue it. */
export type ProjectStatus = 'succeeded' | 'incomplete';

export function hasProject({ status }: { readonly status: string }): boolean {
  return status === 'succeeded' || status === 'incomplete';
}

/** The files that the caller gave and that attempts wrote; of a path that was written twice, the last one. */
export function filesOf({ log }: Pick<StoredProject, 'log'>): StoredFile[] {
  const files = new Map<string, StoredFile>();
  for (const event of log) {
    if (event.type === 'file') files.set(event.path, event);
    else if (event.type === 'deleted') files.delete(event.path);
  }
  return [...files.values()];
}

/** The paths that the generation deleted and did not write again. */
export function deletedOf({ log }: Pick<StoredProject, 'log'>): Set<string> {
  const deleted = new Set<string>();
  for (const event of log) {
    if (event.type === 'deleted') deleted.add(event.path);
    else if (event.type === 'file') deleted.delete(event.path);
  }
  return deleted;
}

/** A file that a model wrote from its opening to its closing marker. */
export interface WrittenFile {
  readonly path: string;
  readonly content: string;
}

/** A file of a plan, with its purpose. */
export interface PlannedFile {
  readonly path: string;
  readonly purpose: string;
  /** Files of the same group are written by one call; absent in a plan without groups. */
  readonly group?: number;
}

/** The plan of a project. */
export interface Plan {
  readonly files: readonly PlannedFile[];
  /** The definitions that several files share, such as shapes of data; empty if the plan has none. */
  readonly shared: string;
}

/** A file that an answer began but did not finish. */
export interface UnfinishedFile {
  readonly path: string;
  /** Whether the lines are the blocks of an edit. */
  readonly edits: boolean;
  /** The complete lines that arrived; at least one. */
  readonly lines: readonly string[];
}

/** A file of the project that an answer changes. */
export interface ExistingFile {
  readonly path: string;
  /** Undefined if it is not text. */
  readonly content: string | undefined;
}

/** An image that the caller gave to a generation; text if it is SVG. */
export interface ProjectImage {
  readonly path: string;
  readonly content: string | Uint8Array;
}

/** A file that an answer deletes. */
export interface DeletedFile {
  readonly path: string;
  readonly content: null;
}

export type ProjectChange = WrittenFile | DeletedFile;
