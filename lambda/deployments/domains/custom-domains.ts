import { randomBytes } from 'node:crypto';
import { nanoid } from 'nanoid';
import { ApiError } from '../../contract/errors.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { startExecution as Start } from '../../platform/executions.ts';
import { type CustomDomain, isLoopback } from '../../stored/custom-domain.ts';
import type { Deployment } from '../../stored/deployment.ts';
import { conflictError } from '../write-errors.ts';
import { type Dns, publicDns } from './dns.ts';
import type { DomainStore } from './domain-store.ts';

/** A run that sets up a domain or removes it: the input of the state machine. */
export interface DomainRun {
  /** The id of the deployment. */
  readonly id: string;
  readonly domain: string;
  readonly run: string;
}

/** Returns a name that no other run has. */
const newRun = () => nanoid(21);

interface CustomDomainsOptions {
  readonly domains: DomainStore;
  readonly dns: Pick<Dns, 'isApex'>;
  /** The name that domains point to. */
  readonly target: string;
  /** Starts to set up a domain or to remove it, and does not wait. */
  readonly start: (run: DomainRun) => Promise<void>;
  readonly clock: Clock;
}

/** For so long after a request, an execution checks its domain often: another request adds nothing to it. */
const CHECKED_OFTEN_MS = 10_000;

/** Adds domains to deployments and removes them. A state machine sets them up (`settle`). */
export class CustomDomains {
  readonly #options: CustomDomainsOptions;

  constructor(options: CustomDomainsOptions) {
    this.#options = options;
  }

  /** The name that domains point to. */
  get target(): string {
    return this.#options.target;
  }

  /**
   * Adds a domain to a deployment, or has one checked that it has, and returns it as it is now.
   * @throws ApiError forbidden if the deployment or its owner has too many, conflict, deployment_backend_unreachable
   */
  async put(deployment: Deployment, domain: string): Promise<CustomDomain> {
    const known = deployment.domains?.find((one) => one.domain === domain);
    return known ? this.#checkAgain(deployment, known) : this.#add(deployment, domain);
  }

  async #add({ id, owner, domains: others = [] }: Deployment, domain: string): Promise<CustomDomain> {
    const { domains, dns, clock } = this.#options;
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
    await this.#begin(id, added);
    return added;
  }

  async #checkAgain({ id }: Deployment, known: CustomDomain): Promise<CustomDomain> {
    const { domains, clock } = this.#options;
    const { state, askedAt } = known;
    const isUnderWay = state === 'waiting_for_dns' || state === 'issuing';
    if (isUnderWay && clock() - askedAt < CHECKED_OFTEN_MS) return known;
    // A domain that is being removed can be added again, with another proof, once it is gone.
    if (state === 'removing') throw removingError(known.domain);
    const run = newRun();
    if (!(await domains.ask(id, known, run))) throw conflictError();
    await this.#begin(id, { ...known, run });
    if (state !== 'failed') return known;
    const { reason: _, ...again } = known;
    return { ...again, state: 'waiting_for_dns' };
  }

  /**
   * Starts to remove a domain from a deployment, and returns it.
   * @throws ApiError not_found, conflict, deployment_backend_unreachable
   */
  async remove({ id, domains: all = [] }: Deployment, domain: string): Promise<CustomDomain> {
    const known = all.find((one) => one.domain === domain);
    if (!known) throw new ApiError('not_found', `The deployment does not have the domain ${domain}`);
    const { reason: _, ...removed } = { ...known, state: 'removing', run: newRun() } as const;
    if (!(await this.#options.domains.remove(id, domain, removed.run))) throw conflictError();
    await this.#begin(id, removed);
    return removed;
  }

  /** Starts to remove all domains of a deployment that has ended. @throws the SDK's error: it is safe to call again */
  async removeAll({ id, domains: all = [] }: Deployment): Promise<void> {
    const { domains, start } = this.#options;
    await Promise.all(
      all.map(async ({ domain }) => {
        const run = newRun();
        // Otherwise it is gone already.
        if (await domains.remove(id, domain, run)) await start({ id, domain, run });
      }),
    );
  }

  async #begin(id: string, { domain, run }: CustomDomain): Promise<void> {
    try {
      await this.#options.start({ id, domain, run });
    } catch (cause) {
      const message = 'The domain is noted, but nothing has been started: send the request again';
      const headers = { 'Retry-After': '2' };
      throw new ApiError('deployment_backend_unreachable', message, { cause, headers });
    }
  }
}

function removingError(domain: string): ApiError {
  return new ApiError('conflict', `${domain} is being removed, which takes some minutes: add it afterwards`);
}

/** Returns the custom domains of a stage; undefined if it has none. */
export function stageDomains(
  { DOMAINS_ARN: arn, DOMAIN_TARGET: target }: Readonly<Record<'DOMAINS_ARN' | 'DOMAIN_TARGET', string | undefined>>,
  domains: DomainStore,
  startExecution: typeof Start,
  clock: Clock,
): CustomDomains | undefined {
  if (arn === undefined || target === undefined) return undefined;
  // Named, so that no execution is started twice.
  const start = (run: DomainRun) => startExecution(arn, `${run.id}-${run.run}`, run);
  return new CustomDomains({ domains, dns: publicDns(), target, start, clock });
}
