import { decideTakeDown } from '../../lambda/deployments/manage.ts';
import { deploymentUrl } from '../../lambda/deployments/resource.ts';
import { type Deployment, liveVersion } from '../../lambda/stored/deployment.ts';
import { deploymentIdIn } from '../../lambda/stored/deployment-id.ts';
import { PointerStore } from '../../lambda/stored/pointer-store.ts';
import { findTenant } from '../../lambda/stored/tenant.ts';
import { confirm } from '../../terminal/ask.ts';
import { type CommandIo, UsageError } from '../../terminal/program.ts';
import type { Stage } from '../stage.ts';
import { dropCopies } from './copies.ts';
import { reasonText } from './reason.ts';

/** `null` undoes a takedown. */
type Decision = Deployment['takenDown'] | null;

/** Returns the id of the deployment in an argument: an id, or the address of a page, also on its own domain. @throws UsageError */
export async function deploymentIn(address: string, stage: Stage): Promise<string> {
  const id = (await idAtDomain(address, stage)) ?? deploymentIdIn(address, stage.output('BaseUrl'));
  if (id !== undefined) return id;
  throw new UsageError(`${address} is neither the id of a deployment nor the URL of one of its pages`);
}

/** Returns the id of the deployment whose own domain a URL has, or undefined if it has none. */
async function idAtDomain(
  address: string,
  { cloudFront, optionalOutput }: Stage,
): Promise<string | undefined> {
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
