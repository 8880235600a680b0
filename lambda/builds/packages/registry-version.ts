import semver from 'semver';
import type { Manifest } from './manifest.ts';
import type { Packument } from './packument.ts';
import { DAY, isDenied, type PackagePolicy } from './policy.ts';
import type { Specifier } from './specifier.ts';

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

/**
 * Returns the highest version of a range in the registry that the policy allows.
 * @param now in milliseconds since 1970
 */
export function registryVersion(
  specifier: Specifier,
  packument: Packument,
  { version, major }: Preference,
  policy: PackagePolicy,
  now: number,
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
  const allowed = inRange.filter((candidate) => !isDenied(name, candidate, policy));
  if (allowed.length === 0) return { reason: 'is denied by the operator of this service' };
  const old = allowed.filter((candidate) => isOldEnough(packument.published(candidate), policy, now));
  if (old.length === 0) {
    const days = policy.minimumAgeDays;
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

function isOldEnough(published: number | undefined, { minimumAgeDays }: PackagePolicy, now: number): boolean {
  return minimumAgeDays === 0 || (published !== undefined && now - published >= minimumAgeDays * DAY);
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
