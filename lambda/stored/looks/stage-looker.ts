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
  const { LOOK_FUNCTION: functionName, LOOK_VERSION: version, LOOKS_BUCKET: bucket, LOOK_SKIPPED: skipped } = env;
  if (skipped !== undefined) return skippingLooker(skipped);
  if (functionName === undefined || version === undefined || bucket === undefined)
    return skippingLooker('This stage has no browser');
  const options = { functionName, version, bucket, patienceMs, shares: env.LOOK_SLOTS, table: env.RATE_LIMITS_TABLE };
  let loading: Promise<Looker> | undefined;
  return {
    async look(tenant, input) {
      loading ??= import('./lambda-looker.ts').then(({ createLooker }) => createLooker(options));
      return (await loading).look(tenant, input);
    },
  };
}

/** Returns the looker of a stage that looks at nothing. @param skipped why, as a sentence */
export function skippingLooker(skipped: string): Looker {
  return { skipped, look: async () => ({ state: 'skipped', reason: skipped }) };
}
