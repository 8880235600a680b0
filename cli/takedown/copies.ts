import { copiesUntil, DROPPED_TOGETHER, dropFromEdge } from '../../lambda/deployments/copies/edge-cache.ts';
import { tenantsOf } from '../../lambda/stored/custom-domain.ts';
import { PointerStore } from '../../lambda/stored/pointer-store.ts';
import type { Output } from '../../terminal/program.ts';
import type { Stage } from '../stage.ts';

/**
 * Waits until no edge location serves a copy of deployments: hashed files may be cached there, and others for outages.
 * @param reference differs between takedowns
 */
export async function dropCopies(
  ids: readonly string[],
  reference: string,
  at: number,
  stage: Stage,
  stdout: Output,
): Promise<void> {
  stdout.write('Removing the copies at the edge locations ...\n');
  try {
    await invalidate(ids, reference, stage);
  } catch (error) {
    const what = ids.length === 1 ? 'The deployment is' : 'The deployments are';
    throw new Error(
      `${what} taken down, but copies may be left at edge locations for up to a day: run the command again (${(error as Error).message})`,
    );
  }
  const edgeSeconds = Number(stage.output('EdgeSeconds'));
  const until = new Date(copiesUntil(at, edgeSeconds)).toISOString();
  // An instance that remembers the pointer may still answer, and the edge keeps that answer for the rest of edgeSeconds.
  stdout.write(
    edgeSeconds === 0
      ? 'No edge location has a copy.\n'
      : `The copies are removed. Because of deployments.edgeSeconds, pages may be seen until ${until}.\n`,
  );
}

/** Removes the copies of deployments at all edge locations. @param reference differs between invalidations of the same deployments */
export async function invalidate(ids: readonly string[], reference: string, stage: Stage): Promise<void> {
  const distributionId = stage.output('PagesDistribution');
  for (let from = 0; from < ids.length; from += DROPPED_TOGETHER) {
    const some = ids.slice(from, from + DROPPED_TOGETHER);
    const caches = { distributionId, tenants: await tenantsOfAll(some, stage) };
    await dropFromEdge(some, `${reference}-${from}`, caches, stage.cloudFront);
  }
}

/** Returns the tenants of deployments with domains of their own, whose caches are apart. */
async function tenantsOfAll(
  ids: readonly string[],
  { db, output, optionalOutput }: Stage,
): Promise<string[]> {
  if (optionalOutput('TenantsDistribution') === undefined) return [];
  const store = new PointerStore(db, output('DeploymentsTable'));
  const tenants: string[] = [];
  for (const id of ids) tenants.push(...tenantsOf((await store.find(id)) ?? {}));
  return tenants;
}
