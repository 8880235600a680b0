import type { LookProblem, LookWidth } from '../../contract/looks.ts';

/** The site that a browser opens, as its visitors get it. */
export interface LookInput {
  /** Of a project that is built: what was built, with its source maps. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Path of the page; an empty string if there is none. */
  readonly entry: string;
}

/** What a browser saw. */
export interface Look {
  readonly state: 'looked';
  readonly problems: readonly LookProblem[];
  /** PNG images. One is absent if the page could not be pictured. */
  readonly screenshots: ReadonlyMap<LookWidth, Uint8Array>;
}

/** Why nobody looked: `skipped` if the stage does not, `failed` if the browser could not. Neither says anything about the page. */
export interface NoLook {
  readonly state: 'skipped' | 'failed';
  /** As a sentence. */
  readonly reason: string;
}

/** The reason of a look that failed because no browser was free: another one can succeed later. */
export const BROWSERS_BUSY = 'Too many browsers are running';

/** Has a browser look at sites. */
export interface Looker {
  /** Why no site is looked at, as a sentence; undefined if sites are. */
  readonly skipped?: string | undefined;
  /**
   * Returns what a browser sees of a site: of an earlier look at an equal site for the same tenant, or of a new one. It never
   * throws for what the site does, nor if the browser is unavailable.
   * @param tenant as `Builder.build` has it
   */
  look(tenant: string, input: LookInput): Promise<Look | NoLook>;
}

/** The longest that a look takes, with the wait for a free browser and the calls of storage: `LambdaLooker` gives up then. */
export const LOOK_SECONDS = 80;
