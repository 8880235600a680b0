import { siteOf } from '../stored/data/site-data.ts';
import type { SiteState } from '../stored/data/site-state.ts';
import type { Deployment } from '../stored/deployment.ts';

/** Partitions that an instance remembers; the one that was used least recently is evicted first. */
const KEPT = 10_000;

export interface FoundSite {
  readonly deployment: Deployment | undefined;
  /** If it was asked for and the site has data. */
  readonly state: Promise<SiteState> | undefined;
}

/**
 * Reads deployments, and at the same time the state of their data: an instance remembers in which partition it is, which does not
 * change as long as the deployment exists.
 */
export class RememberedSites {
  readonly #findDeployment: (id: string) => Promise<Deployment | undefined>;
  readonly #readState: (site: string) => Promise<SiteState>;
  readonly #sites = new Map<string, string>();

  constructor(
    findDeployment: (id: string) => Promise<Deployment | undefined>,
    readState: (site: string) => Promise<SiteState>,
  ) {
    this.#findDeployment = findDeployment;
    this.#readState = readState;
  }

  async find(id: string, withState: boolean): Promise<FoundSite> {
    const expected = withState ? this.#sites.get(id) : undefined;
    const early = expected === undefined ? undefined : this.#readState(expected);
    // It may not be needed.
    early?.catch(() => {});
    const deployment = await this.#findDeployment(id);
    const site = deployment?.data && siteOf(id, deployment.data);
    this.#remember(id, site);
    if (!withState || site === undefined) return { deployment, state: undefined };
    return { deployment, state: site === expected ? early : this.#readState(site) };
  }

  #remember(id: string, site: string | undefined): void {
    this.#sites.delete(id);
    if (site !== undefined) this.#sites.set(id, site);
    const [oldest] = this.#sites.keys();
    if (this.#sites.size > KEPT && oldest !== undefined) this.#sites.delete(oldest);
  }
}
