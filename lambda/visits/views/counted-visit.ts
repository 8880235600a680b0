import { log } from '../../platform/log.ts';
import type { SiteResponse } from '../../sites/serving/site-response.ts';
import { type ViewRequest, viewedPage, viewOf } from './view.ts';
import type { ViewCounter } from './view-counter.ts';

/**
 * The longest that a visit waits for writes of views, in milliseconds: several times what DynamoDB takes. Lambda freezes an instance once its
 * function has responded, and a write that has not ended goes on with the next visit.
 */
const PATIENCE_MS = 50;

export interface CountingPorts {
  /** Undefined if the stage does not count. */
  readonly counter: Pick<ViewCounter, 'prepare' | 'count' | 'writeOverdue'> | undefined;
  /** Hosts of the page itself. */
  readonly ownHosts: (page: string) => readonly string[];
}

/**
 * Responds to a visit and counts it if it is a view. Views of earlier visits are written while this one reads its page; its own
 * view is counted once its response is known.
 * @param respond gets a function to call once the deployment is known to exist
 */
export async function countedVisit(
  request: ViewRequest,
  respond: (exists: () => void) => Promise<SiteResponse>,
  { counter, ownHosts }: CountingPorts,
): Promise<SiteResponse> {
  if (!counter) return respond(() => {});
  const overdue = counter.writeOverdue();
  const page = viewedPage(request);
  const response = await respond(() => page !== undefined && counter.prepare(page));
  const view = page === undefined ? undefined : viewOf(request, response, ownHosts(page));
  await withinPatience(Promise.all([overdue, view && counter.count(view)]));
  return response;
}

/** Waits for work that neither fails a visit nor delays it for long. */
async function withinPatience(work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, PATIENCE_MS);
  await Promise.race([work.catch((error: unknown) => log.error('view not counted', { error })), promise]);
  clearTimeout(timer);
}
