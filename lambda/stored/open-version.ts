import { errorResponse, heldResponse } from '../sites/serving/notice-pages.ts';
import type { SiteResponse } from '../sites/serving/respond.ts';
import { type Deployment, liveVersion, type Version } from './deployment.ts';
import { ANONYMOUS } from './deployment-owner.ts';
import { type GateBounds, isHeld } from './held.ts';

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

/** Responds to a request for a file of a private page, which its owner gets from the API instead. @param what names the file */
export function privateFileResponse(what: string, operation: string, id: string): SiteResponse {
  const message = `This page is private. Its owner gets its ${what} from GET /api/v1/deployments/${id}/${operation}.`;
  return errorResponse(403, 'Private', message);
}

/** Responds to a visit of a private page on an origin that it shares with other pages. */
export function sharedOriginResponse(): SiteResponse {
  return errorResponse(403, 'Private', 'This page is private, and has no origin of its own any more.');
}

export function notFoundResponse(): SiteResponse {
  return errorResponse(
    404,
    'No such deployment',
    'Nothing is deployed under this address. The address may be mistyped.',
  );
}

function deletedResponse({ expired }: Deployment): SiteResponse {
  if (expired) return errorResponse(410, 'Expired', 'This page was published for a limited time, which is over.');
  return errorResponse(410, 'Deleted', 'The owner of this page has deleted it.');
}

function takenDownResponse(reason: string | undefined): SiteResponse {
  const message = `The operator of this service took this page down${reason ? `: ${reason}` : '.'}`;
  return errorResponse(451, 'Not available', message);
}
