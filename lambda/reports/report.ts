import { createHmac } from 'node:crypto';
import type { Caller } from '../access/callers.ts';
import type { Tally } from '../access/shared-counter.ts';
import { ApiError, retryError } from '../contract/errors.ts';
import type { ReportRequest, ReportResponse } from '../contract/reports.ts';
import { type Clock, dayOf } from '../platform/clock.ts';
import { DEPLOYMENT_ID, type Deployment, deploymentIdIn, liveVersion, pastedUrl } from '../stored/deployment.ts';
import type { ReportStore } from './report-store.ts';
import { isCounted, withReport } from './reported-page.ts';

/** A possible custom domain. Certificates do not allow longer names. */
const DOMAIN = /^(?=.{3,64}$)[a-z\d-]+(\.[a-z\d-]+)+$/;

/** The stores of reports, and the addresses of the stage. */
export interface ReportStage {
  readonly reports: Pick<ReportStore, 'find' | 'change'>;
  readonly findDeployment: (id: string) => Promise<Deployment | undefined>;
  /** Returns the id of the deployment at a custom domain. Undefined if the stage has no custom domains. */
  readonly idAtDomain?: ((domain: string) => Promise<string | undefined>) | undefined;
  /** Counts a page that a caller reports. */
  readonly count: (caller: string) => Promise<Tally>;
  /** Keys the ids of reports, so that nobody can tell who sent one. */
  readonly secret: string;
  readonly baseUrl: string;
  /** `https://*.<siteDomain>`, if the stage has it. */
  readonly siteOrigin?: string | undefined;
  readonly clock: Clock;
}

/**
 * Counts a report of a deployed page. One that changes nothing is accepted as well, so that no sender learns what others reported.
 * @throws ApiError invalid_request, not_found, gone, taken_down, rate_limited
 */
export async function report(
  { url, deploymentId, reason, details, contact }: ReportRequest,
  caller: Caller,
  stage: ReportStage,
): Promise<ReportResponse> {
  const now = stage.clock();
  const address = url ?? deploymentId ?? '';
  const domain = ownersDomain(address, stage);
  // A domain is looked up by a call of CloudFront's control plane: the report is counted before.
  const ofDomain = domain === undefined ? undefined : await countOf(caller, now, stage.count);
  const { id: reported } = await requireVisible(address, domain, stage);
  const id = reportId(reported, caller.id, now, stage.secret);
  const response = { id, deploymentId: reported };
  if (isCounted(await stage.reports.find(reported), id, now)) return response;
  const ofSender = ofDomain ?? (await countOf(caller, now, stage.count));
  const added = {
    id,
    at: now,
    reason,
    ofSender,
    ...textOf('details', details),
    ...textOf('contact', contact),
  };
  await stage.reports.change(reported, (before) =>
    isCounted(before, id, now) ? undefined : withReport(reported, before, added),
  );
  return response;
}

/** @throws ApiError unless visitors see the deployment */
async function requireVisible(
  address: string,
  domain: string | undefined,
  { baseUrl, findDeployment, idAtDomain }: ReportStage,
): Promise<Deployment> {
  const atDomain = domain === undefined ? undefined : await idAtDomain?.(domain);
  const id = atDomain ?? deploymentIdIn(address, baseUrl);
  if (id === undefined)
    throw new ApiError(
      'invalid_request',
      `There is no deployed page at this address: send the one that visitors see, such as ${baseUrl}/d/abcdefghijkl`,
    );
  const deployment = await findDeployment(id);
  if (!deployment) throw new ApiError('not_found', 'Nothing is published under this address or id');
  if (deployment.takenDown) throw new ApiError('taken_down', 'The operator has taken this page down already');
  if (!liveVersion(deployment)) throw new ApiError('gone', 'The page was deleted: there is nothing to report');
  return deployment;
}

/**
 * Returns the custom domain that an address may be on: its path may imitate the address of another deployment. Undefined for
 * an address on a domain of the service.
 */
function ownersDomain(
  address: string,
  { baseUrl, siteOrigin, idAtDomain }: Pick<ReportStage, 'baseUrl' | 'siteOrigin' | 'idAtDomain'>,
): string | undefined {
  if (!idAtDomain || DEPLOYMENT_ID.test(address.trim())) return undefined;
  // A name with a dot at its end is the same host.
  const hostname = pastedUrl(address)?.hostname.replace(/\.$/, '') ?? '';
  const sites = siteOrigin && new URL(siteOrigin.replace('*', 'x')).hostname.slice('x'.length);
  const isOfService = hostname === new URL(baseUrl).hostname || (sites && hostname.endsWith(sites));
  return isOfService || !DOMAIN.test(hostname) ? undefined : hostname;
}

/** Returns the same id for all reports of a page by a caller in a UTC day. */
function reportId(deployment: string, caller: string, now: number, secret: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['report', deployment, caller, dayOf(now)]))
    .digest('base64url')
    .slice(0, 16);
}

/**
 * Returns how many pages an address has reported in the UTC day; 1 for a key or token, which only operators give out.
 * @throws ApiError rate_limited beyond the limit
 */
async function countOf({ id, credential }: Caller, now: number, count: ReportStage['count']): Promise<number> {
  if (credential) return 1;
  const { total, allowed, resetAt } = await count(id);
  if (allowed) return total;
  const retryAfter = Math.ceil((resetAt - now) / 1_000);
  const message = `More than ${total - 1} pages were reported from this address in a day (UTC)`;
  throw retryError('rate_limited', `${message}. Try again in ${retryAfter} s`, retryAfter);
}

function textOf<Field extends string>(field: Field, sent: string | undefined): { readonly [Name in Field]?: string } {
  // Forms send line breaks as CR LF.
  const text = sent?.replaceAll('\r\n', '\n').trim() ?? '';
  return (text === '' ? {} : { [field]: text }) as { readonly [Name in Field]?: string };
}
