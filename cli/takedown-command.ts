import { DeploymentStore } from '../lambda/deployments/deployment-store.ts';
import { copiesUntil, dropFromEdge } from '../lambda/deployments/edge-cache.ts';
import { decideTakeDown } from '../lambda/deployments/manage.ts';
import { deploymentUrl } from '../lambda/deployments/resource.ts';
import { type Deployment, liveVersion } from '../lambda/sites/deployment.ts';
import { DEPLOYMENT_ID } from '../lambda/sites/deployment-id.ts';
import { command, type Output, UsageError } from './command.ts';
import { openStage, STAGE_OPTIONS, type Stage } from './stage.ts';

const REASON_CHARACTERS = 500;
const USAGE = `npm run takedown -- ID [--reason TEXT]
npm run takedown -- ID --undo

Takes a deployment down: until --undo, its pages answer 451 with the reason (at most ${REASON_CHARACTERS} characters), and so
do deploys to it and rollbacks. Ends when the copies at the edge locations are removed, usually within 25 seconds. ID is
the deployment's id, or the URL of one of its pages.

The command uses the local service, or with --stack NAME a stack in your AWS account.`;

type Decision = Deployment['takenDown'] | null;

/** `npm run takedown` */
export const main = command(
  USAGE,
  { reason: { type: 'string' }, undo: { type: 'boolean' }, ...STAGE_OPTIONS },
  async ({ values: { reason, undo, stack }, positionals: [address, ...more] }, { stdout, env }) => {
    if (!address) throw new UsageError('Missing argument: the id or URL of a deployment');
    if (more.length > 0)
      throw new UsageError(`Unexpected argument: ${more.join(' ')} (quote a reason of several words)`);
    if (undo && reason !== undefined) throw new UsageError('--undo and --reason cannot be combined');
    const decision = undo ? null : { at: Date.now(), ...checkedReason(reason) };
    using stage = await openStage(stack, env);
    const baseUrl = stage.output('BaseUrl');
    const id = idIn(address, baseUrl);
    const before = await decideTakeDown(
      id,
      decision,
      new DeploymentStore(stage.db, stage.output('DeploymentsTable')),
    );
    if (!before) throw new Error(`There is no deployment ${id}`);
    stdout.write(`${deploymentUrl(id, baseUrl)} ${outcome(decision, before)}\n`);
    if (decision) await dropCopies(id, decision.at, stage, stdout);
  },
);

function checkedReason(text = ''): { reason?: string } {
  const reason = text.trim();
  const { length } = [...reason];
  if (length > REASON_CHARACTERS)
    throw new UsageError(`--reason has ${length} characters: at most ${REASON_CHARACTERS} are allowed`);
  return reason === '' ? {} : { reason };
}

/**
 * Returns the deployment id in an id or URL. On its own origin, the host names the deployment: the site chooses the path,
 * which could imitate that of another deployment.
 */
function idIn(address: string, baseUrl: string): string {
  const { host, pathname } = URL.parse(address) ?? new URL(`/d/${address}`, baseUrl);
  const [label = ''] = host.split('.');
  if (host !== new URL(baseUrl).host && DEPLOYMENT_ID.test(label)) return label;
  const [, id = ''] = /^\/d\/([^/.]+)/.exec(pathname) ?? [];
  if (DEPLOYMENT_ID.test(id)) return id;
  throw new UsageError(`${address} is neither the id of a deployment nor the URL of one of its pages`);
}

/** Waits until no edge location serves a copy: hashed files may be cached there, and others for outages. */
async function dropCopies(
  id: string,
  at: number,
  { cloudFront, output }: Stage,
  stdout: Output,
): Promise<void> {
  stdout.write('Removing the copies at the edge locations ...\n');
  try {
    await dropFromEdge(id, `${id}-takedown-${at}`, output('PagesDistribution'), cloudFront);
  } catch (error) {
    throw new Error(
      `The deployment is taken down, but copies may be left at edge locations for up to a day: run the command again (${(error as Error).message})`,
    );
  }
  const edgeSeconds = Number(output('EdgeSeconds'));
  const until = new Date(copiesUntil(at, edgeSeconds)).toISOString();
  // An instance that remembers the pointer may still answer, and the edge keeps that answer for the rest of edgeSeconds.
  stdout.write(
    edgeSeconds === 0
      ? 'No edge location has a copy.\n'
      : `The copies are removed. Because of deployments.edgeSeconds, pages may be seen until ${until}.\n`,
  );
}

function outcome(decision: Decision, before: Deployment): string {
  if (decision)
    return `is taken down, ${decision.reason ? `with the reason: ${decision.reason}` : 'without a reason'}`;
  const still = before.takenDown ? 'no longer' : 'not';
  return `is ${still} taken down: ${liveVersion(before) ? 'it is online' : 'its owner deleted it'}`;
}
