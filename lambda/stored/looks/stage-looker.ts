import * as z from 'zod';
import { slotShares } from '../../contract/slot-shares.ts';
import { ENV, json } from '../../platform/env.ts';
import type { Looker } from './looker.ts';

/** The environment of a function that looks, for `readEnv`: `LOOK_SKIPPED`, or all the others. */
export const LOOKER_ENV = {
  [ENV.lookFunction]: z.string().optional(),
  [ENV.lookVersion]: z.string().optional(),
  [ENV.looksBucket]: z.string().optional(),
  [ENV.lookSlots]: json(slotShares).optional(),
  [ENV.rateLimitsTable]: z.string().optional(),
  [ENV.lookSkipped]: z.string().optional(),
};

/**
 * Returns the looker of a function. Its code and its clients are loaded by the first look.
 * @param patienceMs how long a look waits for a browser
 */
export function lambdaLooker(env: z.output<z.ZodObject<typeof LOOKER_ENV>>, patienceMs?: number): Looker {
  const { LOOK_FUNCTION, LOOK_VERSION, LOOKS_BUCKET, LOOK_SKIPPED, LOOK_SLOTS, RATE_LIMITS_TABLE } = env;
  if (LOOK_SKIPPED !== undefined) return skippingLooker(LOOK_SKIPPED);
  if (LOOK_FUNCTION === undefined || LOOK_VERSION === undefined || LOOKS_BUCKET === undefined)
    return skippingLooker('This stage has no browser');
  let loading: Promise<Looker> | undefined;
  return {
    async look(tenant, input) {
      loading ??= import('./lambda-looker.ts').then(({ createLooker }) =>
        createLooker({
          LOOK_FUNCTION,
          LOOK_VERSION,
          LOOKS_BUCKET,
          slots: LOOK_SLOTS,
          table: RATE_LIMITS_TABLE,
          patienceMs,
        }),
      );
      return (await loading).look(tenant, input);
    },
  };
}

/** Returns the looker of a stage that looks at nothing. @param skipped why, as a sentence */
export function skippingLooker(skipped: string): Looker {
  return { skipped, look: async () => ({ state: 'skipped', reason: skipped }) };
}
