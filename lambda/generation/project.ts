/** A file that a model wrote from its opening to its closing marker. */
export interface WrittenFile {
  readonly path: string;
  readonly content: string;
}

/** A file of a plan, with its purpose. */
export interface PlannedFile {
  readonly path: string;
  readonly purpose: string;
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

export type Change = WrittenFile | DeletedFile;
