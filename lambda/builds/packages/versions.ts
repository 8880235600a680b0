import semver from 'semver';
import type { ListedPackages } from './listed.ts';
import type { Manifest } from './manifest.ts';
import { closestName, DAY, isDenied, NAME_AGE_DAYS, type PackagePolicy } from './policy.ts';
import type { Packument, Registry } from './registry.ts';
import { isInRange, type Specifier } from './specifier.ts';

/** Why no version of a package can be used: the end of a sentence that begins with its name. */
export interface NoVersion {
  readonly reason: string;
}

/** What to prefer among the versions of a range. */
export interface Preference {
  /** The version of an earlier build, or of a lock file without a hash. */
  readonly version?: string | undefined;
  /** The major version of a package that is released with this one. */
  readonly major?: number | undefined;
  /** The project's own code imports it. */
  readonly isDirect?: boolean;
}

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
    const chosen = this.#ofRegistry(specifier, packument, preference);
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

  #ofRegistry(
    specifier: Specifier,
    packument: Packument,
    { version, major }: Preference,
  ): Manifest | NoVersion {
    const { name, range } = specifier;
    const tagged = typeof range === 'string' ? packument.tags.get(range) : undefined;
    if (typeof range === 'string' && tagged === undefined)
      return { reason: `has no version with the tag "${range}"` };
    const latest = packument.tags.get('latest');
    const inRange = packument.versions.filter(
      (candidate) => semver.valid(candidate) !== null && allows(range, tagged, candidate),
    );
    if (inRange.length === 0) {
      return {
        reason: `has no version ${describe(range)}${latest === undefined ? '' : `; the latest is ${latest}`}`,
      };
    }
    const allowed = inRange.filter((candidate) => !isDenied(name, candidate, this.#policy));
    if (allowed.length === 0) return { reason: 'is denied by the operator of this service' };
    const old = allowed.filter((candidate) => this.#isOldEnough(packument.published(candidate)));
    if (old.length === 0) {
      const days = this.#policy.minimumAgeDays;
      return { reason: `has no version ${describe(range)} that is ${days} days old; use an earlier one` };
    }
    const usable = old
      .map((candidate) => packument.manifest(candidate))
      .filter((manifest) => manifest !== undefined);
    const ofMajor = usable.filter((manifest) => semver.major(manifest.version) === major);
    const candidates = ofMajor.length > 0 ? ofMajor : usable;
    const preferred = [version, latest].map((one) => candidates.find((manifest) => manifest.version === one));
    // As npm does: the tag `latest` wins, so that a mistake that its author took back does not.
    return preferred[0] ?? preferred[1] ?? highest(candidates) ?? { reason: 'has no version for browsers' };
  }

  #isOldEnough(published: number | undefined): boolean {
    const days = this.#policy.minimumAgeDays;
    return days === 0 || (published !== undefined && this.#now - published >= days * DAY);
  }
}

/** Reports if a range, or the version of a tag, allows a version. A tag allows earlier versions, if its own is too young. */
function allows(range: Specifier['range'], tagged: string | undefined, version: string): boolean {
  if (typeof range !== 'string') return range.test(version);
  if (tagged === undefined || version === tagged) return version === tagged;
  return semver.prerelease(version) === null && semver.lt(version, tagged);
}

function describe(range: Specifier['range']): string {
  return typeof range === 'string' ? `with the tag "${range}"` : `in the range ${range.raw || '*'}`;
}

function highest(manifests: readonly Manifest[]): Manifest | undefined {
  const current = manifests.filter(({ isDeprecated }) => !isDeprecated);
  const sorted = (current.length > 0 ? current : manifests).toSorted((one, other) =>
    semver.rcompare(one.version, other.version),
  );
  return sorted[0];
}
