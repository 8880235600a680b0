import { DeploymentStore } from '../lambda/deployments/deployment-store.ts';
import { dropFromEdge } from '../lambda/deployments/edge-cache.ts';
import { decideTakeDown } from '../lambda/deployments/manage.ts';
import { deploymentUrl } from '../lambda/deployments/resource.ts';
import { type Deployment, liveVersion } from '../lambda/sites/deployment.ts';
import { DEPLOYMENT_ID } from '../lambda/sites/deployment-id.ts';
import { runCommand, UsageError } from './command.ts';
import { openStage, STAGE_OPTIONS, type Stage } from './stage.ts';

const REASON_CHARACTERS = 500;
const USAGE = `npm run takedown -- ID [--reason TEXT]
npm run takedown -- ID --undo

Takes a deployment down: its page answers 451 and shows the reason (at most ${REASON_CHARACTERS} characters), and nobody can
deploy to it or roll it back until --undo. ID is the deployment's id, or the URL of one of its pages.

Works on the local service; --stack NAME works on a stack in your AWS account.`;

type Decision = Deployment['takenDown'] | null;

await runCommand(
  USAGE,
  { reason: { type: 'string' }, undo: { type: 'boolean' }, ...STAGE_OPTIONS },
  async ({ values: { reason, undo, stack }, positionals: [address, ...more] }) => {
    if (!address) throw new UsageError('Missing argument: the id or URL of a deployment');
    if (more.length > 0)
      throw new UsageError(`One deployment at a time, and a reason in quotes: what is ${more.join(' ')}?`);
    if (undo && reason !== undefined) throw new UsageError('--undo takes no --reason');
    const decision = undo ? null : { at: Date.now(), ...shown(reason) };
    const stage = await openStage(stack);
    const baseUrl = stage.output('BaseUrl');
    const id = idIn(address, baseUrl);
    const before = await decide(id, decision, stage);
    console.log(`${deploymentUrl(id, baseUrl)} ${outcome(decision, before)}`);
  },
);

function shown(text = ''): { reason?: string } {
  const reason = text.trim();
  if ([...reason].length > REASON_CHARACTERS)
    throw new UsageError(`--reason is at most ${REASON_CHARACTERS} characters`);
  return reason === '' ? {} : { reason };
}

/**
 * The id in what an operator was sent. On an origin of its own a deployment is named by the host; the path is the
 * site's, and may be made to look as if it named another deployment.
 */
function idIn(address: string, baseUrl: string): string {
  const { host, pathname } = URL.parse(address) ?? new URL(`/d/${address}`, baseUrl);
  const [label = ''] = host.split('.');
  if (host !== new URL(baseUrl).host && DEPLOYMENT_ID.test(label)) return label;
  const [, id = ''] = /^\/d\/([^/.]+)/.exec(pathname) ?? [];
  if (DEPLOYMENT_ID.test(id)) return id;
  throw new UsageError(`${address} is neither the id of a deployment nor the URL of its page`);
}

/**
 * Makes the decision hold, at the edge as well; gives the deployment as it was. One that stands already is made again
 * all the same: the newer reason counts.
 */
async function decide(
  id: string,
  decision: Decision,
  { db, cloudFront, output }: Stage,
): Promise<Deployment> {
  const distribution = output('PagesDistribution');
  const before = await decideTakeDown(id, decision, {
    deployments: new DeploymentStore(db, output('DeploymentsTable')),
    dropFromEdge: (one) => dropFromEdge(one, distribution, cloudFront),
    clock: Date.now,
  });
  if (!before) throw new Error(`There is no deployment ${id}`);
  return before;
}

/** What is so now. */
function outcome(decision: Decision, before: Deployment): string {
  if (decision)
    return `is taken down, ${decision.reason ? `and visitors read: ${decision.reason}` : 'without a reason'}`;
  const still = before.takenDown ? 'no longer' : 'not';
  return `is ${still} taken down: ${liveVersion(before) ? 'it is online' : 'its owner deleted it'}`;
}
