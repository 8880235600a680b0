import * as z from 'zod';
import type { LookProblem, LookWidth } from '../../contract/looks.ts';
import { ENV } from '../../platform/env.ts';

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

/** What a function that looks needs of its environment, for `readEnv`: `LOOK_SKIPPED`, or all the others. */
export const LOOKER_ENV = {
  [ENV.lookFunction]: z.string().optional(),
  [ENV.lookVersion]: z.string().optional(),
  [ENV.looksBucket]: z.string().optional(),
  [ENV.lookSkipped]: z.string().optional(),
};

/** Returns the looker of a function. Its code and its clients are loaded by the first look. */
export function lambdaLooker(env: z.output<z.ZodObject<typeof LOOKER_ENV>>): Looker {
  const { LOOK_FUNCTION, LOOK_VERSION, LOOKS_BUCKET, LOOK_SKIPPED } = env;
  if (LOOK_SKIPPED !== undefined) return skippingLooker(LOOK_SKIPPED);
  if (LOOK_FUNCTION === undefined || LOOK_VERSION === undefined || LOOKS_BUCKET === undefined)
    return skippingLooker('This stage has no browser');
  let loading: Promise<Looker> | undefined;
  return {
    async look(tenant, input) {
      loading ??= import('./lambda-looker.ts').then(({ createLooker }) =>
        createLooker({ LOOK_FUNCTION, LOOK_VERSION, LOOKS_BUCKET }),
      );
      return (await loading).look(tenant, input);
    },
  };
}

/** Returns the looker of a stage that looks at nothing. @param skipped why, as a sentence */
export function skippingLooker(skipped: string): Looker {
  return { skipped, look: async () => ({ state: 'skipped', reason: skipped }) };
}
