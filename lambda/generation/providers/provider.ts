import type { Duration } from '../../contract/generate.ts';
import type { WrittenFile } from '../output-parser.ts';

/** A file that a plan names, with what it is for. */
export interface PlannedFile {
  readonly path: string;
  readonly purpose: string;
}

/** What one pass of a generation asks a provider for. */
export interface PassRequest {
  readonly prompt: string;
  readonly duration: Duration;
  /** `plan` asks for a list of files, `write` for files, `repair` for what is wrong with those there are. */
  readonly pass: 'plan' | 'write' | 'repair';
  /** The files there are; they are not written again, except in a repair. */
  readonly files: readonly WrittenFile[];
  /** The files of the plan that are not there yet; empty when there is no plan. */
  readonly lacking: readonly PlannedFile[];
  /** For a repair: what is wrong, one sentence each. */
  readonly problems: readonly string[];
}

/** What a provider's stream consists of. */
export type ProviderEvent =
  | { readonly type: 'text'; readonly text: string }
  /** The model works but says nothing yet, as while it reasons. A keep-alive frame of the wire is none. */
  | { readonly type: 'activity' }
  /** The last event: whether the model said all it wanted to. A stream without it was cut off. */
  | { readonly type: 'end'; readonly reason: 'complete' | 'length' | 'refused' };

/** Somebody who writes projects: an LLM behind an adapter, or the embedded blueprint. */
export interface Provider {
  /** The variant in the answer's `model`: the provider's own name of its model, or `blueprint`. */
  readonly model: string;
  /**
   * Answers in the output protocol (`output-parser.ts`), in whatever chunks it comes.
   * @param signal aborted when the run gives up; the provider then stops for real
   * @throws ProviderFailure when the provider says no; any other error counts as `failed`
   */
  write(request: PassRequest, signal: AbortSignal): AsyncIterable<ProviderEvent>;
}

/** Why a provider did not answer, by what a caller or an operator can do about it. */
export type FailureKind = 'overloaded' | 'credentials' | 'refused' | 'failed';

export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly kind: FailureKind;
  /** How long the provider asks to be left alone. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: FailureKind,
    message: string,
    extra: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: extra.cause });
    this.kind = kind;
    this.retryAfterSeconds = extra.retryAfterSeconds;
  }
}
