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
