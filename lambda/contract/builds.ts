/** What a build may use and make; beyond it, the request gets a 413, or after `milliseconds` a 400. */
export const BUILD_LIMITS = {
  packages: 400,
  packedBytes: 60 * 1_048_576,
  unpackedBytes: 250 * 1_048_576,
  outputFiles: 400,
  outputFileBytes: 4 * 1_048_576,
  outputBytes: 10 * 1_048_576,
  milliseconds: 20_000,
  problems: 20,
} as const;

/** What is wrong with a project, as responses have it in `problems`. */
export interface BuildProblem {
  /** One sentence without its place, such as `"Github" is not exported by lucide-react 1.75.0`. */
  readonly message: string;
  /** Of the file in the project. */
  readonly path?: string;
  /** From 1. */
  readonly line?: number;
  /** From 1, in UTF-16 code units. */
  readonly column?: number;
  /** The line of the source, shortened around the column. */
  readonly excerpt?: string;
}

/** What a build was made of and what it made, as `build` of a version has it. */
export interface BuildReport {
  /** Number of built files. */
  readonly files: number;
  /** Their total size. */
  readonly bytes: number;
  /** Versions of the packages that the project's own code imports, by name. The next deploy of the deployment reuses them. */
  readonly packages: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}
