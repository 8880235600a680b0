import { LIMITS } from '../../contract/limits.ts';
import { CLOCKS_APART_MS } from '../../platform/clock.ts';
import type { Deployment, Version } from '../../stored/deployment.ts';

/** Returns the newest versions and the live one. Concurrent deploys may leave a few more, until the next deploy. */
export function keptVersions({ versions, live }: Deployment): readonly Version[] {
  return versions.filter(({ version }, i) => i < LIMITS.versionsPerDeployment || version === live);
}

/**
 * Returns the versions to delete when one is added: those beyond the limit, or all of a deleted deployment. The live version
 * stays, since it becomes the previous one.
 */
export function obsoleteVersions({ versions, live, deletedAt }: Deployment): readonly Version[] {
  if (deletedAt !== undefined) return versions;
  return versions.slice(LIMITS.versionsPerDeployment - 1).filter(({ version }) => version !== live);
}

/** An older announcement is abandoned: twice the timeout of the function that deploys, whose clock may be behind. */
const ANNOUNCED_MS = 60_000 + CLOCKS_APART_MS;

/** The most announcements that one write removes: a DynamoDB expression has at most 4 KB. */
const FORGOTTEN_AT_ONCE = 100;

/** Returns abandoned announcements, as many as one write can remove. That of a deploy may have left an archive. */
export function abandonedAnnouncements({ announced }: Deployment, now: number): string[] {
  const past = [...announced].flatMap(([name, at]) => (at > now - ANNOUNCED_MS ? [] : [name]));
  return past.slice(0, FORGOTTEN_AT_ONCE);
}
