import semver from 'semver';
import { editDistance } from '../../contract/messages.ts';
import type { ListedPackages } from './listed.ts';
import { isPackageName, type Manifest } from './manifest.ts';
import type { Packument, Registry } from './registry.ts';

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
   * Returns the version to use for a range: that of the list, or else the highest one of the registry that is old
   * enough, or else the lowest one.
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
    return await this.#registry.packument(name, this.#policy.minimumAgeDays === 0 ? undefined : this.#now - age);
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

/** No version of a package can be used; the reason is the end of a sentence that begins with its name. */
interface NoVersion {
  readonly reason: string;
}

/** The versions to prefer within a range. */
interface Preference {
  /** The version of an earlier build, or of a lock file without a hash. */
  readonly version?: string | undefined;
  /** The major version of a package that is released with this one. */
  readonly major?: number | undefined;
  /** The project's own code imports it. */
  readonly isDirect?: boolean;
}

/**
 * Returns the highest version of a range in the registry that the policy allows and that is old enough. If none is, returns the
 * lowest version of the range.
 * @param now in milliseconds since 1970
 */
function registryVersion(
  specifier: Specifier,
  packument: Packument,
  { version, major }: Preference,
  policy: PackagePolicy,
  now: number,
): Manifest | NoVersion {
  const { name, range } = specifier;
  const tagged = typeof range === 'string' ? packument.tags.get(range) : undefined;
  if (typeof range === 'string' && tagged === undefined) return { reason: `has no version with the tag "${range}"` };
  const latest = packument.tags.get('latest');
  const inRange = packument.versions.filter(
    (candidate) => semver.valid(candidate) !== null && allows(range, tagged, candidate),
  );
  if (inRange.length === 0) {
    return {
      reason: `has no version ${describe(range)}${latest === undefined ? '' : `; the latest is ${latest}`}`,
    };
  }
  const allowed = inRange.filter((candidate) => !isDenied(name, candidate, policy));
  if (allowed.length === 0) return { reason: 'is denied by the operator of this service' };
  const old = allowed.filter((candidate) => isOldEnough(packument.published(candidate), policy, now));
  // package.json names the lowest version of its range, so a version that was published since cannot get in.
  const named = typeof range === 'string' ? [] : allowed.toSorted(semver.compare).slice(0, 1);
  if (old.length === 0 && named.length === 0) {
    return { reason: `has no version ${describe(range)} that is ${policy.minimumAgeDays} days old` };
  }
  const usable = (old.length > 0 ? old : named)
    .map((candidate) => packument.manifest(candidate))
    .filter((manifest) => manifest !== undefined);
  const ofMajor = usable.filter((manifest) => semver.major(manifest.version) === major);
  const candidates = ofMajor.length > 0 ? ofMajor : usable;
  const preferred = [version, latest].map((one) => candidates.find((manifest) => manifest.version === one));
  // As npm does: the tag `latest` wins, so that a mistake that its author took back does not.
  return preferred[0] ?? preferred[1] ?? highest(candidates) ?? { reason: 'has no version for browsers' };
}

function isOldEnough(published: number | undefined, { minimumAgeDays }: PackagePolicy, now: number): boolean {
  return minimumAgeDays === 0 || (published !== undefined && now - published >= minimumAgeDays * DAY);
}

/**
 * Reports if a range, or the version of a tag, allows a version. A tag allows earlier versions, if its own is too
 * young.
 */
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

/** Which packages an operator allows: `builds` of the configuration. */
export interface PackagePolicy {
  /** `listed` allows the listed packages in the listed versions only. */
  readonly packages: 'any' | 'listed';
  /**
   * Younger versions are skipped, unless a lock file names them or the range has no other. 0 also allows names that are younger
   * than `NAME_AGE_DAYS`.
   */
  readonly minimumAgeDays: number;
  /**
   * Names that are never used, such as `event-stream`, or versions of them, such as `event-stream@3.3.6` or
   * `event-stream@>=3.3`.
   */
  readonly deny: readonly string[];
}

export const DEFAULT_POLICY: PackagePolicy = { packages: 'any', minimumAgeDays: 7, deny: [] };

/** Attackers register names that models invent; within this time, most are reported and removed. */
const NAME_AGE_DAYS = 90;

export const DAY = 86_400_000;

/** Reports if the operator denies a version. */
export function isDenied(name: string, version: string, { deny }: PackagePolicy): boolean {
  return deny.some((entry) => {
    const at = entry.indexOf('@', 1);
    if (at < 0 || entry.slice(0, at) !== name) return entry === name;
    const range = entry.slice(at + 1);
    // A range that is none denies the name: the operator wanted to deny something.
    return semver.validRange(range) === null || semver.satisfies(version, range, { includePrerelease: true });
  });
}

/** Returns the name that differs in the fewest letters; undefined if none is close. */
function closestName(name: string, names: Iterable<string>): string | undefined {
  const most = Math.min(3, Math.floor(name.length / 3));
  const similar = [...names].filter(({ length }) => Math.abs(length - name.length) <= most);
  const rated = similar.map((candidate) => ({ candidate, distance: editDistance(name, candidate) }));
  const [closest] = rated.filter(({ distance }) => distance <= most).toSorted((a, b) => a.distance - b.distance);
  return closest?.candidate;
}

/** Which versions package.json asks for. */
export interface Specifier {
  /** The name at the registry: of the alias `npm:react@18`, `react`. */
  readonly name: string;
  /** A range of versions, or a tag such as `next`. */
  readonly range: semver.Range | string;
}

/** No range that anybody writes is longer; reading one takes time for each of its parts. */
const MAX_LENGTH = 256;

/**
 * Reads the version of a dependency (https://docs.npmjs.com/cli/configuring-npm/package-json#dependencies).
 * @returns undefined for what is not of the registry: git, file, link, workspace, catalog and URLs
 */
export function readSpecifier(name: string, spec: string): Specifier | undefined {
  const text = spec.trim();
  if (text.length > MAX_LENGTH) return undefined;
  if (text.startsWith('npm:')) {
    const at = text.indexOf('@', 'npm:'.length + 1);
    const alias = text.slice('npm:'.length, at < 0 ? undefined : at);
    const range = at < 0 ? '*' : text.slice(at + 1);
    return isPackageName(alias) && !range.startsWith('npm:') ? readSpecifier(alias, range) : undefined;
  }
  const range = semver.validRange(text, { loose: true }) === null ? undefined : new semver.Range(text, { loose: true });
  if (range) return { name, range };
  return /^[A-Za-z][\w.-]*$/.test(text) ? { name, range: text } : undefined;
}

/** Reports if a version is in the range. A tag allows every version, since the registry moves it. */
export function isInRange(version: string, { range }: Specifier): boolean {
  return typeof range === 'string' || range.test(version);
}
