import { type CustomDomain, isLoopback } from '../../stored/custom-domain.ts';
import type { Deployment } from '../../stored/deployment.ts';
import type { Tenant } from '../../stored/tenant.ts';
import { proofName } from './dns-records.ts';
import type { Finding } from './domain-store.ts';
import type { Outcome, SettlePorts } from './settle-ports.ts';
import { isGone, retire } from './settle-removal.ts';

/**
 * For how long DNS records are looked for: as long as ACM waits for a validation.
 * https://docs.aws.amazon.com/acm/latest/userguide/dns-validation.html
 */
const PATIENCE_MS = 3 * 86_400_000;

const FULL = 'The service has as many custom domains as its account at AWS allows: ask its operator';
const ELSEWHERE =
  'CloudFront serves the domain for someone else, perhaps another account of yours: remove it there first';
const LOST = 'The DNS records of the domain name another deployment now';
const USED =
  'Another deployment uses the domain, and its DNS records still prove that: remove it there first';
const LEAVING = 'Another deployment had the domain: it is being removed there';

/** A step for a domain that is wanted. */
interface Step {
  readonly deployment: Deployment;
  readonly entry: CustomDomain;
  readonly ports: SettlePorts;
}

/** Brings a domain that is wanted one step closer to serving its deployment. */
export async function advance(
  deployment: Deployment,
  entry: CustomDomain,
  ports: SettlePorts,
): Promise<Outcome> {
  const step = { deployment, entry, ports };
  const tenant = await ports.tenants.find(entry.domain);
  if (tenant?.deployment === deployment.id) return complete(step, tenant);
  if (tenant && tenant.deployment === undefined) return fail(step, ELSEWHERE);
  const proofs = await proofsOf(entry.domain, ports);
  if (!hasProof(entry, proofs))
    return wait(step, `There is no TXT record ${proofName(entry.domain)} with the value yet`);
  return tenant?.deployment === undefined ? create(step) : takeOver(step, tenant, tenant.deployment, proofs);
}

async function proofsOf(domain: string, { dns }: SettlePorts): Promise<readonly string[]> {
  return isLoopback(domain) ? [] : dns.texts(proofName(domain));
}

/** Reports whether DNS proves that a deployment may have a domain. Only this machine resolves names under `localhost`: they need no proof. */
function hasProof({ domain, proof }: CustomDomain, proofs: readonly string[]): boolean {
  return isLoopback(domain) || proofs.includes(proof);
}

/** Creates the tenant. The proof comes first, because a certificate that is pending blocks the domain for its owner. */
async function create(step: Step): Promise<Outcome> {
  const { deployment, entry, ports } = step;
  const creation = await ports.tenants.create(entry.domain, deployment.id);
  if ('tenant' in creation) return note(step, { state: 'issuing', tenant: creation.tenant.id });
  switch (creation.refused) {
    case 'not_pointed':
      return wait(step, notPointed(entry));
    case 'full':
      return fail(step, FULL);
    case 'taken':
      // Another deployment can have been faster: the next step finds its tenant.
      return (await ports.tenants.find(entry.domain)) ? 'again' : fail(step, ELSEWHERE);
  }
}

/** Puts the certificate to use once it is issued, and waits until the tenant is in effect everywhere. */
async function complete(step: Step, tenant: Tenant): Promise<Outcome> {
  const { entry, ports } = step;
  const { id, certificateArn, enabled, isActive, isDeployed } = tenant;
  const issuing: Finding = { state: 'issuing', tenant: id };
  if (!enabled) {
    await ports.tenants.update(tenant, entry.domain, { enabled: true, certificateArn });
    return note(step, issuing);
  }
  if (isActive && isDeployed) {
    await note(step, { state: 'active', tenant: id });
    return 'done';
  }
  if (isActive) return note(step, issuing);
  const certificate = await ports.tenants.certificate(tenant);
  if (certificate.state === 'failed')
    return fail(step, `The certificate was not issued: ${certificate.status}`);
  if (certificate.state === 'pending' && !(await ports.tenants.isPointed(tenant)))
    return wait(step, notPointed(entry));
  if (certificate.state === 'issued' && certificateArn === undefined)
    await ports.tenants.update(tenant, entry.domain, { enabled, certificateArn: certificate.arn });
  return note(step, issuing);
}

/**
 * Decides between two deployments by what DNS says now: a domain that was sold has another owner, who must get rid of the site of the
 * earlier one. The tenant of a deployment that does not list the domain any more is a leftover.
 */
async function takeOver(
  step: Step,
  tenant: Tenant,
  holderId: string,
  proofs: readonly string[],
): Promise<Outcome> {
  const { domains, tenants } = step.ports;
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
  const { entry, ports } = step;
  if (ports.clock() - entry.askedAt > PATIENCE_MS) return fail(step, `${reason}, after three days`);
  return note(step, { state: 'waiting_for_dns', reason });
}

/** Notes that a domain failed, and removes what there is of it. */
async function fail({ deployment, entry, ports }: Step, reason: string): Promise<Outcome> {
  const failed = { ...entry, state: 'failed', reason } as const;
  const isNoted = await ports.domains.note(deployment.id, entry.domain, entry.run, failed);
  return isNoted ? retire(deployment, failed, ports) : 'done';
}

async function note({ deployment, entry, ports }: Step, finding: Finding): Promise<Outcome> {
  const { state, reason, tenant = entry.tenant } = finding;
  const isKnown = entry.state === state && entry.reason === reason && entry.tenant === tenant;
  if (isKnown) return 'again';
  return (await ports.domains.note(deployment.id, entry.domain, entry.run, finding)) ? 'again' : 'done';
}
