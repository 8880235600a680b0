import { copiesUntil, DROPPED_TOGETHER, dropFromEdge } from '../../lambda/deployments/copies/edge-copies.ts';
import { decideTakeDown } from '../../lambda/deployments/manage.ts';
import { deploymentUrl } from '../../lambda/deployments/resource.ts';
import { tenantsOf } from '../../lambda/stored/custom-domain.ts';
import { type Deployment, deploymentIdIn, liveVersion } from '../../lambda/stored/deployment.ts';
import { PointerStore } from '../../lambda/stored/pointer-store.ts';
import { findTenant } from '../../lambda/stored/tenant.ts';
import { confirm } from '../../terminal/ask.ts';
import { type CommandIo, type Output, UsageError } from '../../terminal/program.ts';
import type { Stage } from '../stage.ts';

/** `null` undoes a takedown. */
type Decision = Deployment['takenDown'] | null;

/** Returns the id of the deployment in an argument: an id, or the address of a page, also on its own domain. @throws UsageError */
export async function deploymentIn(address: string, stage: Stage): Promise<string> {
  const id = (await idAtDomain(address, stage)) ?? deploymentIdIn(address, stage.output('BaseUrl'));
  if (id !== undefined) return id;
  throw new UsageError(`${address} is neither the id of a deployment nor the URL of one of its pages`);
}

/** Returns the id of the deployment whose own domain a URL has, or undefined if it has none. */
async function idAtDomain(address: string, { cloudFront, optionalOutput }: Stage): Promise<string | undefined> {
  const domain = URL.parse(address)?.hostname;
  const distributionId = optionalOutput('TenantsDistribution');
  if (domain === undefined || distributionId === undefined) return undefined;
  return (await findTenant(domain, distributionId, cloudFront))?.deployment;
}

/** Takes one deployment down, or brings it back, and prints the outcome. @throws Error if there is none */
export async function takeDownOne(
  id: string,
  decision: Decision,
  yes: boolean,
  stage: Stage,
  io: CommandIo,
): Promise<void> {
  const url = deploymentUrl(id, stage.output('BaseUrl'));
  if (!yes) await confirm(decision ? `Take ${url} down?` : `Bring ${url} back?`, io);
  const store = new PointerStore(stage.db, stage.output('DeploymentsTable'));
  const before = await decideTakeDown(id, decision, store);
  if (!before) throw new Error(`There is no deployment ${id}`);
  io.stdout.write(`${url} ${outcome(decision, before)}\n`);
  if (decision) await dropCopies([id], `${id}-takedown-${decision.at}`, decision.at, stage, io.stdout);
}

function outcome(decision: Decision, before: Deployment): string {
  if (decision) return `is taken down, ${reasonText(decision.reason)}`;
  const still = before.takenDown ? 'no longer' : 'not';
  return `is ${still} taken down: ${liveVersion(before) ? 'it is online' : 'its owner deleted it'}`;
}

export const REASON_CHARACTERS = 500;

/** Returns the reason of a takedown, which its pages show. @throws UsageError if it is too long */
export function checkedReason(text = ''): { reason?: string } {
  const reason = text.trim();
  const { length } = [...reason];
  if (length > REASON_CHARACTERS)
    throw new UsageError(`--reason has ${length} characters: at most ${REASON_CHARACTERS} are allowed`);
  return reason === '' ? {} : { reason };
}

/** Returns the reason of a takedown as text, such as `with the reason: Spam`. */
export function reasonText(reason: string | undefined): string {
  return reason ? `with the reason: ${reason}` : 'without a reason';
}

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
async function tenantsOfAll(ids: readonly string[], { db, output, optionalOutput }: Stage): Promise<string[]> {
  if (optionalOutput('TenantsDistribution') === undefined) return [];
  const store = new PointerStore(db, output('DeploymentsTable'));
  const tenants: string[] = [];
  for (const id of ids) tenants.push(...tenantsOf((await store.find(id)) ?? {}));
  return tenants;
}
