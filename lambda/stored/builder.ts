import type { BuildInput } from '../sites/source/build-input.ts';
import type { BuiltSite } from '../sites/source/built-site.ts';

/** Builds source. */
export interface Builder {
  /**
   * Returns the built site: an earlier result for an equal input of the same tenant, or that of a new build.
   * @param tenant id of the caller (`Caller.id`), or of the owner for whom a generation is built. Tenants share nothing.
   * @throws ApiError build_failed with `problems`, payload_too_large (with `problems` as well), or unavailable with `Retry-After`
   */
  build(tenant: string, input: BuildInput): Promise<BuiltSite>;
}
