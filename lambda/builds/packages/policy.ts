import semver from 'semver';

/** Which packages an operator allows: `builds` of the configuration. */
export interface PackagePolicy {
  /** `listed` allows the listed packages in the listed versions only. */
  readonly packages: 'any' | 'listed';
  /** A version without a lock file has to be this old. 0 also allows names that are younger than `NAME_AGE_DAYS`. */
  readonly minimumAgeDays: number;
  /** Names that are never used, such as `event-stream`, or versions of them, such as `event-stream@3.3.6` or `event-stream@>=3.3`. */
  readonly deny: readonly string[];
}

export const DEFAULT_POLICY: PackagePolicy = { packages: 'any', minimumAgeDays: 7, deny: [] };

/** Attackers register names that models invent; within this time, most are reported and removed. */
export const NAME_AGE_DAYS = 90;

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
export function closestName(name: string, names: Iterable<string>): string | undefined {
  const most = Math.min(3, Math.floor(name.length / 3));
  let closest: string | undefined;
  let least = most + 1;
  for (const candidate of names) {
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const distance = editDistance(name, candidate);
    if (distance < least) {
      closest = candidate;
      least = distance;
    }
  }
  return closest;
}

/** The Levenshtein distance of two names, which have at most 214 characters. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
