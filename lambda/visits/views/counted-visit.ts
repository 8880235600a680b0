import { log } from '../../platform/log.ts';
import type { SiteResponse } from '../../sites/serving/respond.ts';
import type { Deployment } from '../../stored/deployment.ts';
import { type ViewRequest, viewedPage, viewOf } from './view.ts';
import type { ViewCounter } from './view-counter.ts';

/**
 * The longest that a visit waits for writes of views, in milliseconds: several times what DynamoDB takes. Lambda freezes an instance once its
 * function has responded, and a write that has not ended goes on with the next visit.
 */
const PATIENCE_MS = 50;

/**
 * Responds to a visit and counts it if it is a view. Views of earlier visits are written while this one reads its page; its own
 * view is counted once its response is known.
 * @param respond gets a function to call with the deployment once it is found
 * @param counter undefined if the stage does not count
 * @param siteOrigin `https://*.<siteDomain>` when every deployment has an origin of its own
 */
export async function countedVisit(
  request: ViewRequest,
  respond: (found: (deployment: Deployment) => void) => Promise<SiteResponse>,
  counter: Pick<ViewCounter, 'prepare' | 'count' | 'writeOverdue'> | undefined,
  siteOrigin: string | undefined,
): Promise<SiteResponse> {
  if (!counter) return respond(() => {});
  const overdue = counter.writeOverdue();
  const page = viewedPage(request);
  let hosts: readonly string[] = [];
  const response = await respond((deployment) => {
    if (page !== undefined) counter.prepare(page);
    hosts = ownHosts(deployment, siteOrigin);
  });
  const view = page === undefined ? undefined : viewOf(request, response, hosts);
  await withinPatience(Promise.all([overdue, view && counter.count(view)]));
  return response;
}

/** Returns the hosts of a page, which do not refer to it: its own origin and its custom domains. */
function ownHosts({ id, domains = [] }: Deployment, siteOrigin: string | undefined): string[] {
  const own = siteOrigin === undefined ? [] : [new URL(siteOrigin.replace('*', id)).hostname];
  return [...own, ...domains.map(({ domain }) => domain)];
}

/** Waits for work that neither fails a visit nor delays it for long. */
async function withinPatience(work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, PATIENCE_MS);
  await Promise.race([work.catch((error: unknown) => log.error('view not counted', { error })), promise]);
  clearTimeout(timer);
}
