import semver from 'semver';
import type { ListedPackages } from './listed.ts';
import type { Manifest } from './manifest.ts';
import type { Packument } from './packument.ts';
import { closestName, DAY, isDenied, NAME_AGE_DAYS, type PackagePolicy } from './policy.ts';
import type { Registry } from './registry.ts';
import { type NoVersion, type Preference, registryVersion } from './registry-version.ts';
import { isInRange, type Specifier } from './specifier.ts';

/** Chooses versions: of the list, or else of the registry, as the policy allows. */
export class Versions {
  readonly #listed: ListedPackages;
  readonly #registry: Registry;
  readonly #policy: PackagePolicy;
  readonly #now: number;

  constructor(listed: ListedPackages, registry: Registry, policy: PackagePolicy, now: number) {
    this.#listed = listed;
    this.#registry = registry;
    this.#policy = policy;
    this.#now = now;
  }

  get listedOnly(): boolean {
    return this.#policy.packages === 'listed';
  }

  isListed(name: string): boolean {
    return this.#listed.names.has(name);
  }

  isDenied({ name, version }: Manifest): boolean {
    return isDenied(name, version, this.#policy);
  }

  /** The end of an error: the closest name of the list. */
  suggestion(name: string): string {
    const closest = closestName(name, this.#listed.names);
    return closest === undefined || closest === name ? '' : `. Did you mean "${closest}"?`;
  }

  /** Starts to load what `choose` will need. */
  async prepare(specifier: Specifier): Promise<void> {
    if (this.listedOnly || this.#ofList(specifier, {})) return;
    await this.#packument(specifier.name, false).catch(() => undefined);
  }

  /**
   * Returns the version to use for a range: that of the list, or else the highest one of the registry that is old enough.
   * @throws BuildError `unavailable`
   */
  async choose(specifier: Specifier, preference: Preference): Promise<Manifest | NoVersion> {
    const { name } = specifier;
    const listed = this.#ofList(specifier, preference);
    const isPreferred = preference.version === undefined || listed?.version === preference.version;
    if (listed && (isPreferred || this.listedOnly)) return listed;
    if (this.listedOnly) return { reason: `is not on the list of this service${this.suggestion(name)}` };

    const packument = await this.#packument(name, preference.isDirect === true);
    if (!packument) return listed ?? { reason: `is not a package of the registry${this.suggestion(name)}` };
    const young = preference.isDirect ? this.#youngName(name, packument) : undefined;
    if (young) return young;
    const chosen = registryVersion(specifier, packument, preference, this.#policy, this.#now);
    const isKept = !('reason' in chosen) && chosen.version === preference.version;
    return listed && !isKept ? listed : chosen;
  }

  /** Highest version of the list in the range. Of a tag, only `latest` can be meant. */
  #ofList(specifier: Specifier, { version, major }: Preference): Manifest | undefined {
    if (typeof specifier.range === 'string' && specifier.range !== 'latest') return undefined;
    const allowed = this.#listed
      .versions(specifier.name)
      .filter((manifest) => isInRange(manifest.version, specifier) && !this.isDenied(manifest))
      .filter((manifest) => major === undefined || semver.major(manifest.version) === major)
      .toSorted((one, other) => semver.rcompare(one.version, other.version));
    return allowed.find((manifest) => manifest.version === version) ?? allowed[0];
  }

  async #packument(name: string, isDirect: boolean): Promise<Packument | undefined> {
    const days = isDirect && !this.isListed(name) ? NAME_AGE_DAYS : 0;
    const age = Math.max(this.#policy.minimumAgeDays, days) * DAY;
    return await this.#registry.packument(
      name,
      this.#policy.minimumAgeDays === 0 ? undefined : this.#now - age,
    );
  }

  #youngName(name: string, { created }: Packument): NoVersion | undefined {
    if (this.isListed(name) || this.#policy.minimumAgeDays === 0) return undefined;
    if (created === undefined) return { reason: 'has no date of publication in the registry' };
    const days = Math.floor((this.#now - created) / DAY);
    if (days >= NAME_AGE_DAYS) return undefined;
    return {
      reason: `was first published ${days} days ago: unlisted packages must be ${NAME_AGE_DAYS} days old${this.suggestion(name)}`,
    };
  }
}
