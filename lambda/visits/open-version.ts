import { heldResponse } from '../sites/serving/notice-pages.ts';
import type { SiteResponse } from '../sites/serving/site-response.ts';
import { type Deployment, liveVersion, type Version } from '../stored/deployment.ts';
import { ANONYMOUS } from '../stored/deployment-owner.ts';
import { type GateBounds, isHeld } from '../stored/held.ts';
import { deletedResponse, notFoundResponse, takenDownResponse } from './notices.ts';

/** Returns the version that visitors may see, or a notice with the reason why not. @param reportUrl of the form for reports */
export function openVersion(
  deployment: Deployment | undefined,
  bounds: GateBounds | undefined,
  reportUrl?: string,
): Version | SiteResponse {
  if (!deployment) return notFoundResponse();
  if (deployment.takenDown) return takenDownResponse(deployment.takenDown.reason);
  const live = liveVersion(deployment);
  if (!live) return deletedResponse(deployment);
  if (!isHeld(deployment, live, bounds)) return live;
  // The problems of a private page are confidential.
  const reasons = deployment.access ? [] : (live.gate?.reasons ?? []);
  const claimable = deployment.owner === ANONYMOUS ? deployment.id : undefined;
  return heldResponse(claimable, reasons, reportUrl);
}
