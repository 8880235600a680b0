import type { BuildProblem } from '../contract/builds.ts';

/** The error code of the response (`lambda/contract/errors.ts`). */
export type BuildErrorCode = 'build_failed' | 'payload_too_large' | 'unavailable';

/** The project cannot be built. Nothing of it is an internal error: its problems are for the caller. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
  readonly code: BuildErrorCode;
  /** At least one; at most `BUILD_LIMITS.problems` are returned. */
  readonly problems: readonly BuildProblem[];

  constructor(problems: readonly BuildProblem[], code: BuildErrorCode = 'build_failed') {
    super(problems[0]?.message);
    this.code = code;
    this.problems = problems;
  }
}
