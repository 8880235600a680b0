import type { Duration } from '../../contract/generate.ts';

/** What a provider is asked for. */
export interface ProjectRequest {
  readonly prompt: string;
  readonly duration: Duration;
}

/** Somebody who writes projects: an LLM behind an adapter, or the embedded blueprint. */
export interface Provider {
  /** The variant in the answer's `model`: the provider's own name of its model, or `blueprint`. */
  readonly model: string;
  /**
   * Writes a project in the output protocol, in whatever chunks it comes.
   * @param signal aborted when the run gives up; the provider then stops for real
   */
  write(request: ProjectRequest, signal: AbortSignal): AsyncIterable<string>;
}
