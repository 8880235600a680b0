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
  /** What several files share, such as shapes of data; empty if the plan has nothing of the kind. */
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
