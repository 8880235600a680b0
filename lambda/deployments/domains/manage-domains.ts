import { randomBytes } from 'node:crypto';
import { ApiError } from '../../contract/errors.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { Clock } from '../../platform/clock.ts';
import { type CustomDomain, isLoopback } from '../../stored/custom-domain.ts';
import type { Deployment } from '../../stored/deployment.ts';
import { conflictError } from '../store/write-errors.ts';
import type { Dns } from './dns.ts';
import { type DomainRun, newRun } from './domain-run.ts';
import type { DomainStore } from './domain-store.ts';

export interface DomainPorts {
  readonly domains: DomainStore;
  readonly dns: Pick<Dns, 'isApex'>;
  /** The name that domains point to. */
  readonly target: string;
  /** Starts to set up a domain or to remove it, and does not wait. */
  readonly start: (run: DomainRun) => Promise<void>;
  readonly clock: Clock;
}

/** An execution looks at a domain that often at first: a request adds nothing to it. */
const LOOKED_AT_MS = 10_000;

/**
 * Adds a domain to a deployment, or looks at one that it has, and returns it as it is now.
 * @throws ApiError forbidden if the deployment or its owner has too many, conflict, deployment_backend_unreachable
 */
export async function putDomain(
  deployment: Deployment,
  domain: string,
  ports: DomainPorts,
): Promise<CustomDomain> {
  const known = deployment.domains?.find((one) => one.domain === domain);
  return known ? askAgain(deployment, known, ports) : addDomain(deployment, domain, ports);
}

async function addDomain(
  { id, owner, domains: others = [] }: Deployment,
  domain: string,
  { domains, dns, start, clock }: DomainPorts,
): Promise<CustomDomain> {
  if (others.length >= LIMITS.domainsPerDeployment)
    throw new ApiError('forbidden', `A deployment has at most ${LIMITS.domainsPerDeployment} domains`);
  const now = clock();
  const added: CustomDomain = {
    domain,
    proof: `ptp-domain=${randomBytes(24).toString('base64url')}`,
    isApex: !isLoopback(domain) && (await dns.isApex(domain)),
    addedAt: now,
    askedAt: now,
    state: 'waiting_for_dns',
    run: newRun(),
  };
  if (!(await domains.reserve(owner, id, domain, LIMITS.domainsPerOwner)))
    throw new ApiError('forbidden', `A key or token has at most ${LIMITS.domainsPerOwner} domains`);
  if (!(await domains.add(id, owner, added))) throw conflictError();
  await begin(id, added, start);
  return added;
}

async function askAgain(
  { id }: Deployment,
  known: CustomDomain,
  { domains, start, clock }: DomainPorts,
): Promise<CustomDomain> {
  const { state, askedAt } = known;
  const isUnderWay = state === 'waiting_for_dns' || state === 'issuing';
  if (isUnderWay && clock() - askedAt < LOOKED_AT_MS) return known;
  // What is being removed comes back with a proof of its own, once it is gone.
  if (state === 'removing') throw removingError(known.domain);
  const run = newRun();
  if (!(await domains.ask(id, known, run))) throw conflictError();
  await begin(id, { ...known, run }, start);
  if (state !== 'failed') return known;
  const { reason: _, ...again } = known;
  return { ...again, state: 'waiting_for_dns' };
}

/**
 * Starts to remove a domain from a deployment, and returns it.
 * @throws ApiError not_found, conflict, deployment_backend_unreachable
 */
export async function removeDomain(
  { id, domains: all = [] }: Deployment,
  domain: string,
  { domains, start }: Pick<DomainPorts, 'domains' | 'start'>,
): Promise<CustomDomain> {
  const known = all.find((one) => one.domain === domain);
  if (!known) throw new ApiError('not_found', `The deployment does not have the domain ${domain}`);
  const { reason: _, ...removed } = { ...known, state: 'removing', run: newRun() } as const;
  if (!(await domains.remove(id, domain, removed.run))) throw conflictError();
  await begin(id, removed, start);
  return removed;
}

/** Starts to remove all domains of a deployment that has ended. @throws the SDK's error: it is safe to call again */
export async function removeDomains(
  { id, domains: all = [] }: Deployment,
  { domains, start }: Pick<DomainPorts, 'domains' | 'start'>,
): Promise<void> {
  await Promise.all(
    all.map(async ({ domain }) => {
      const run = newRun();
      // Otherwise it is gone already.
      if (await domains.remove(id, domain, run)) await start({ id, domain, run });
    }),
  );
}

async function begin(id: string, { domain, run }: CustomDomain, start: DomainPorts['start']): Promise<void> {
  try {
    await start({ id, domain, run });
  } catch (cause) {
    const message = 'The domain is noted, but nothing has been started: send the request again';
    throw new ApiError('deployment_backend_unreachable', message, { cause, headers: { 'Retry-After': '2' } });
  }
}

function removingError(domain: string): ApiError {
  return new ApiError('conflict', `${domain} is being removed, which takes some minutes: add it afterwards`);
}
