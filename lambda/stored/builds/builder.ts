import * as z from 'zod';
import { slotShares } from '../../contract/slot-shares.ts';
import { ENV, json } from '../../platform/env.ts';
import type { BuildInput, BuiltSite } from '../../sites/source/build.ts';

/** Builds source. */
export interface Builder {
  /**
   * Returns the built site: that of an earlier build of an equal input for the same tenant, or of a new one.
   * @param tenant id of the caller (`Caller.id`), or of the owner for whom a generation is built. Tenants share nothing.
   * @throws ApiError build_failed with `problems`, payload_too_large, or unavailable with `Retry-After`
   */
  build(tenant: string, input: BuildInput): Promise<BuiltSite>;
}

/** The environment of a function that builds, for `readEnv`. */
export const BUILDER_ENV = {
  [ENV.buildFunction]: z.string(),
  [ENV.buildVersion]: z.string(),
  [ENV.buildsBucket]: z.string(),
  [ENV.buildSlots]: json(slotShares),
  [ENV.rateLimitsTable]: z.string(),
};

/** Returns the builder of a function. Its code and its clients are loaded by the first build: most requests build nothing. */
export function lambdaBuilder(env: z.output<z.ZodObject<typeof BUILDER_ENV>>): Builder {
  let loading: Promise<Builder> | undefined;
  return {
    async build(tenant, input) {
      loading ??= import('./lambda-builder.ts').then(({ createBuilder }) => createBuilder(env));
      return (await loading).build(tenant, input);
    },
  };
}
