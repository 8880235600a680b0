import * as z from 'zod';

/** After how long new tokens use a new version: twice the time within which every instance has read it. */
export const USED_AFTER_MS = 10 * 60_000;

const times = z.record(z.string().regex(/^\d+$/), z.number()).default({});
const stored = z
  .object({ useFrom: times, validUntil: times })
  .catchall(z.string())
  .transform(({ useFrom, validUntil, ...secrets }) => ({ secrets, useFrom, validUntil }));

/**
 * The secrets that tokens of deployments derive from, by version, with times in Unix milliseconds. Version 0 derives from the
 * secret of ids: its tokens are those of earlier releases.
 */
export interface TokenVersions {
  readonly secrets: Readonly<Record<string, string>>;
  /** From when on a version is that of new tokens; a version without a time is at once. */
  readonly useFrom: Readonly<Record<string, number>>;
  /** Until when the tokens of a replaced version are valid. */
  readonly validUntil: Readonly<Record<string, number>>;
}

/**
 * Returns the versions in the text of the secret: `{ "1": "…", "2": "…", "useFrom": { "2": … }, "validUntil": { "1": … } }`.
 * @throws Error without a value of it
 */
export function readTokenVersions(text: string): TokenVersions {
  try {
    const versions = stored.parse(JSON.parse(text)) as TokenVersions;
    if (newestVersion(versions) > 0) return versions;
  } catch {
    // A parser's message may contain a part of the secret.
  }
  throw new Error('The secret of tokens is not a JSON object of versions and their secrets');
}

export function writeTokenVersions({ secrets, useFrom, validUntil }: TokenVersions): string {
  return JSON.stringify({ ...secrets, useFrom, validUntil });
}

/** Returns the number of the version that was added last. */
export function newestVersion({ secrets }: TokenVersions): number {
  return Math.max(...Object.keys(secrets).map(Number));
}

/** Returns the number of the version of new tokens. */
export function currentVersion({ secrets, useFrom }: TokenVersions, now: number): number {
  return Math.max(
    ...Object.keys(secrets)
      .map(Number)
      .filter((version) => (useFrom[version] ?? 0) <= now),
  );
}

/** Returns whether the tokens of a version have expired; also if the version was removed since. */
export function hasExpired({ secrets, validUntil }: TokenVersions, version: number, now: number): boolean {
  const until = validUntil[version];
  if (until !== undefined) return until <= now;
  return (
    version > 0 && secrets[version] === undefined && version < Math.max(...Object.keys(secrets).map(Number))
  );
}

/**
 * Returns the versions with a new one, and without the secrets of those that have expired.
 * @param from when every instance knows the new version, which new tokens then use
 * @param until when all tokens of other versions expire that have no earlier time
 */
export function addVersion(
  versions: TokenVersions,
  secret: string,
  { from, until, now }: { readonly from: number; readonly until: number; readonly now: number },
): TokenVersions {
  const added = newestVersion(versions) + 1;
  const older = [0, ...Object.keys(versions.secrets).map(Number)];
  const validUntil = Object.fromEntries(
    older.map((version) => [version, Math.min(versions.validUntil[version] ?? until, until)]),
  );
  const kept = Object.entries(versions.secrets).filter(
    ([version]) => !hasExpired(versions, Number(version), now),
  );
  return {
    secrets: { ...Object.fromEntries(kept), [added]: secret },
    useFrom: { [added]: from },
    validUntil: { ...versions.validUntil, ...validUntil },
  };
}
