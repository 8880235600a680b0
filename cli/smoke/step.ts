import type { Session } from './session.ts';

export interface Step {
  /** For `--only`. */
  readonly name: string;
  /** The behavior that it proves. */
  readonly title: string;
  /** What a failure means. */
  readonly means: string;
  /** The log groups, metrics, quotas and console pages to look at after a failure. */
  readonly lookAt: string;
  /** Returns a note for the operator, if it is a string. @throws Skipped; any other error is a failure */
  readonly run: (session: Session) => Promise<unknown>;
}
