import { LIMITS } from '../contract/limits.ts';
import { ANNOUNCED_MS, type Deployment, type Version } from '../sites/deployment.ts';

/** Versions that count: of deploys at once, a few more may be there until the next one. The live one always counts. */
export function keptVersions({ versions, live }: Deployment): readonly Version[] {
  return versions.filter(({ version }, i) => i < LIMITS.versionsPerDeployment || version === live);
}

/** Versions that make room for a new one. Those of a deployment that was deleted all do. */
export function obsoleteVersions({ versions, deletedAt }: Deployment): string[] {
  const kept = deletedAt === undefined ? LIMITS.versionsPerDeployment - 1 : 0;
  return versions.slice(kept).map(({ version }) => version);
}

/** How many one write forgets: an expression of DynamoDB's has at most 4 KB. */
const FORGOTTEN_AT_ONCE = 100;

/** Changes that were announced and never took place, some of them; one that was a deploy may have left its archive. */
export function abandoned({ announced }: Deployment, now: number): string[] {
  const past = [...announced].flatMap(([name, at]) => (at > now - ANNOUNCED_MS ? [] : [name]));
  return past.slice(0, FORGOTTEN_AT_ONCE);
}
