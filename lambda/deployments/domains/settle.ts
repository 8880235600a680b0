import type { Clock } from '../../platform/clock.ts';
import { type CustomDomain, isLoopback } from '../../stored/custom-domain.ts';
import type { Deployment } from '../../stored/deployment.ts';
import type { Tenant } from '../../stored/tenant.ts';
import type { DomainRun } from './custom-domains.ts';
import { type Dns, proofName } from './dns.ts';
import type { DomainStore, Finding } from './domain-store.ts';
import type { Tenants } from './tenants.ts';

/** The stores, CloudFront and DNS of a stage with custom domains. */
interface SettledStage {
  readonly domains: Pick<DomainStore, 'find' | 'note' | 'forget' | 'release'>;
  readonly tenants: Tenants;
  readonly dns: Pick<Dns, 'texts'>;
  readonly clock: Clock;
}

export interface NextStep extends DomainRun {
  readonly done: boolean;
  /** Until the next step. */
  readonly waitSeconds: number;
}

/** Whether the run is done, or another step must follow. */
type Outcome = 'done' | 'again';

/**
 * Brings a domain one step closer to the state that its deployment wants: serving the pages, or removed. Each step reads the
 * current state, so that any of them may be repeated, and the last request for the domain decides.
 * @throws the SDK's error: it is safe to call again
 */
export async function settle({ id, domain, run }: DomainRun, stage: SettledStage): Promise<NextStep> {
  const over: NextStep = { id, domain, run, done: true, waitSeconds: 0 };
  const deployment = await stage.domains.find(id);
  const entry = deployment?.domains?.find((one) => one.domain === domain);
  if (!deployment || entry?.run !== run) return over;
  const isWanted = deployment.deletedAt === undefined && entry.state !== 'removing' && entry.state !== 'failed';
  const outcome = await (isWanted ? advance : retire)(deployment, entry, stage);
  if (outcome === 'done') return over;
  return { ...over, done: false, waitSeconds: pauseSeconds(stage.clock() - entry.askedAt) };
}

/** By the time since the request in milliseconds, the seconds between two steps: people wait for the first ones. */
const PAUSES: readonly (readonly [within: number, seconds: number])[] = [
  [60_000, 3],
  [900_000, 15],
  [7_200_000, 60],
];
const LAST_PAUSE = 300;

/** Returns the seconds until the next step. @param sinceMs since the request */
export function pauseSeconds(sinceMs: number): number {
  return PAUSES.find(([within]) => sinceMs < within)?.[1] ?? LAST_PAUSE;
}

/**
 * For how long DNS records are looked for: as long as ACM waits for a validation.
 * https://docs.aws.amazon.com/acm/latest/userguide/dns-validation.html
 */
const PATIENCE_MS = 3 * 86_400_000;

const FULL = 'The service has as many custom domains as its account at AWS allows: ask its operator';
const ELSEWHERE =
  'CloudFront serves the domain for someone else, perhaps another account of yours: remove it there first';
const LOST = 'The DNS records of the domain name another deployment now';
const USED = 'Another deployment uses the domain, and its DNS records still prove that: remove it there first';
const LEAVING = 'Another deployment had the domain: it is being removed there';

/** A step for a domain that is wanted. */
interface Step {
  readonly deployment: Deployment;
  readonly entry: CustomDomain;
  readonly stage: SettledStage;
}

/** Brings a domain that is wanted one step closer to serving its deployment. */
async function advance(deployment: Deployment, entry: CustomDomain, stage: SettledStage): Promise<Outcome> {
  const step = { deployment, entry, stage };
  const tenant = await stage.tenants.find(entry.domain);
  if (tenant?.deployment === deployment.id) return complete(step, tenant);
  if (tenant && tenant.deployment === undefined) return fail(step, ELSEWHERE);
  const proofs = await proofsOf(entry.domain, stage);
  if (!hasProof(entry, proofs))
    return wait(step, `There is no TXT record ${proofName(entry.domain)} with the value yet`);
  return tenant?.deployment === undefined ? create(step) : takeOver(step, tenant, tenant.deployment, proofs);
}

async function proofsOf(domain: string, { dns }: SettledStage): Promise<readonly string[]> {
  return isLoopback(domain) ? [] : dns.texts(proofName(domain));
}

/** Reports whether DNS proves that a deployment may have a domain. Only this machine resolves names under `localhost`: they need no proof. */
function hasProof({ domain, proof }: CustomDomain, proofs: readonly string[]): boolean {
  return isLoopback(domain) || proofs.includes(proof);
}

/** Creates the tenant. The proof comes first, because a certificate that is pending blocks the domain for its owner. */
async function create(step: Step): Promise<Outcome> {
  const { deployment, entry, stage } = step;
  const creation = await stage.tenants.create(entry.domain, deployment.id);
  if ('tenant' in creation) return note(step, { state: 'issuing', tenant: creation.tenant.id });
  switch (creation.refused) {
    case 'not_pointed':
      return wait(step, notPointed(entry));
    case 'full':
      return fail(step, FULL);
    case 'taken':
      // Another deployment can have been faster: the next step finds its tenant.
      return (await stage.tenants.find(entry.domain)) ? 'again' : fail(step, ELSEWHERE);
  }
}

/** Puts the certificate to use once it is issued, and waits until the tenant is in effect everywhere. */
async function complete(step: Step, tenant: Tenant): Promise<Outcome> {
  const { entry, stage } = step;
  const { id, certificateArn, enabled, isActive, isDeployed } = tenant;
  const issuing: Finding = { state: 'issuing', tenant: id };
  if (!enabled) {
    await stage.tenants.update(tenant, entry.domain, { enabled: true, certificateArn });
    return note(step, issuing);
  }
  if (isActive && isDeployed) {
    await note(step, { state: 'active', tenant: id });
    return 'done';
  }
  if (isActive) return note(step, issuing);
  const certificate = await stage.tenants.certificate(tenant);
  if (certificate.state === 'failed') return fail(step, `The certificate was not issued: ${certificate.status}`);
  if (certificate.state === 'pending' && !(await stage.tenants.isPointed(tenant))) return wait(step, notPointed(entry));
  if (certificate.state === 'issued' && certificateArn === undefined)
    await stage.tenants.update(tenant, entry.domain, { enabled, certificateArn: certificate.arn });
  return note(step, issuing);
}

/**
 * Decides between two deployments by what DNS says now: a domain that was sold has another owner, who must get rid of the site of the
 * earlier one. The tenant of a deployment that does not list the domain any more is a leftover.
 */
async function takeOver(step: Step, tenant: Tenant, holderId: string, proofs: readonly string[]): Promise<Outcome> {
  const { domains, tenants } = step.stage;
  const { domain } = step.entry;
  const holder = await domains.find(holderId);
  const held = holder?.domains?.find((one) => one.domain === domain);
  const holds = holder?.deletedAt === undefined && held?.state !== 'removing' && held?.state !== 'failed';
  if (holder && held && holds) {
    if (hasProof(held, proofs)) return fail(step, USED);
    await domains.note(holder.id, domain, held.run, { state: 'failed', reason: LOST });
  }
  await isGone(tenant, domain, tenants);
  return note(step, { state: 'waiting_for_dns', reason: LEAVING });
}

function notPointed({ domain }: CustomDomain): string {
  return `The DNS of ${domain} does not lead here yet`;
}

async function wait(step: Step, reason: string): Promise<Outcome> {
  const { entry, stage } = step;
  if (stage.clock() - entry.askedAt > PATIENCE_MS) return fail(step, `${reason}, after three days`);
  return note(step, { state: 'waiting_for_dns', reason });
}

/** Notes that a domain failed, and removes what there is of it. */
async function fail({ deployment, entry, stage }: Step, reason: string): Promise<Outcome> {
  const failed = { ...entry, state: 'failed', reason } as const;
  const isNoted = await stage.domains.note(deployment.id, entry.domain, entry.run, failed);
  return isNoted ? retire(deployment, failed, stage) : 'done';
}

async function note({ deployment, entry, stage }: Step, finding: Finding): Promise<Outcome> {
  const { state, reason, tenant = entry.tenant } = finding;
  const isKnown = entry.state === state && entry.reason === reason && entry.tenant === tenant;
  if (isKnown) return 'again';
  return (await stage.domains.note(deployment.id, entry.domain, entry.run, finding)) ? 'again' : 'done';
}

/** Removes the tenant of a domain and then, unless the domain failed, the domain. */
async function retire(
  { id, owner, deletedAt }: Deployment,
  { domain, run, state }: CustomDomain,
  { domains, tenants }: SettledStage,
): Promise<Outcome> {
  const tenant = await tenants.find(domain);
  if (tenant?.deployment === id && !(await isGone(tenant, domain, tenants))) {
    // The life of a deployment ends without a request for its domains.
    if (state !== 'removing' && state !== 'failed') await domains.note(id, domain, run, { state: 'removing' });
    return 'again';
  }
  if (state === 'failed' && deletedAt === undefined) return 'done';
  if (await domains.forget(id, domain, run)) await domains.release(owner, id, domain);
  return 'done';
}

/**
 * Takes the next step of removing a tenant: CloudFront deletes it only after it is disabled everywhere.
 * https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_DeleteDistributionTenant.html
 * @returns whether it is gone
 */
async function isGone(tenant: Tenant, domain: string, tenants: Tenants): Promise<boolean> {
  if (!tenant.enabled) return tenant.isDeployed && tenants.delete(tenant);
  const { certificateArn } = tenant;
  await tenants.update(tenant, domain, { enabled: false, certificateArn });
  return false;
}
