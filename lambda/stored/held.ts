import * as z from 'zod';
import { type Deployment, liveVersion, type Version } from './deployment.ts';
import { ANONYMOUS } from './deployment-owner.ts';

/** How many points the live version of a page may have: one without an owner, and one of a key or token. */
export const gateBounds = z.strictObject({ anonymousPoints: z.number(), keyPoints: z.number() });

export type GateBounds = z.output<typeof gateBounds>;

type Held = Pick<Deployment, 'owner' | 'released'>;
type Assessed = Pick<Version, 'gate'>;

/** Returns how many points pages of an owner may have. */
export const boundOf = ({ owner }: Pick<Deployment, 'owner'>, bounds: GateBounds): number =>
  owner === ANONYMOUS ? bounds.anonymousPoints : bounds.keyPoints;

/**
 * Reports if a version of a deployment is not public, because of what the gate found in it. The operator can release a page, which then
 * may have the points that it had.
 * @param bounds undefined if the stage has no gate
 */
export const isHeld = (deployment: Held, version: Assessed, bounds: GateBounds | undefined): boolean =>
  reviewState(deployment, version, bounds) === 'held';

/** Reports if the live version of a deployment is held. */
export function isHeldPage(deployment: Deployment | undefined, bounds: GateBounds | undefined): boolean {
  const live = deployment && liveVersion(deployment);
  return deployment !== undefined && live !== undefined && isHeld(deployment, live, bounds);
}

/** Returns where a version is in the review; undefined if it needs none. */
export function reviewState(
  deployment: Held,
  { gate }: Assessed,
  bounds: GateBounds | undefined,
): 'held' | 'released' | undefined {
  if (!gate || !bounds || gate.points <= boundOf(deployment, bounds)) return undefined;
  return gate.points > (deployment.released?.points ?? 0) ? 'held' : 'released';
}
