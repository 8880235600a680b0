import { RecentlyUsed } from '../platform/recently-used.ts';
import { type Declaration, parseDeclaration } from '../sites/data/declaration.ts';
import { siteOf } from '../stored/data/site-data.ts';
import type { SiteState } from '../stored/data/site-state.ts';
import type { Deployment } from '../stored/deployment.ts';

/** Partitions, and declarations, that an instance remembers. */
const SITES = 10_000;
const DECLARATIONS = 500;

interface FoundSite {
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
  readonly #sites = new RecentlyUsed<string>(SITES);

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
    if (site === undefined) this.#sites.delete(id);
    else this.#sites.set(id, site);
    if (!withState || site === undefined) return { deployment, state: undefined };
    return { deployment, state: site === expected ? early : this.#readState(site) };
  }
}

/**
 * Returns a reader of the declarations of sites, which remembers them by the hash of their text: it never changes.
 * @param read returns the text; undefined if it is missing
 */
export function rememberedRules(
  read: (site: string, hash: string) => Promise<string | undefined>,
): (site: string, hash: string) => Promise<Declaration> {
  const known = new RecentlyUsed<Declaration>(DECLARATIONS);
  return async (site, hash) => {
    const remembered = known.get(hash);
    if (remembered) return remembered;
    const text = await read(site, hash);
    // That of another site with the same hash may not be missing.
    if (text === undefined) return { collections: new Map() };
    const declaration = parseDeclaration(text);
    known.set(hash, declaration);
    return declaration;
  };
}
