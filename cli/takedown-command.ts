import { DeploymentStore } from '../lambda/deployments/deployment-store.ts';
import { findTenant } from '../lambda/deployments/domains/tenants.ts';
import { copiesUntil, dropFromEdge } from '../lambda/deployments/edge-cache.ts';
import { decideTakeDown } from '../lambda/deployments/manage.ts';
import { deploymentUrl } from '../lambda/deployments/resource.ts';
import { tenantsOf } from '../lambda/stored/custom-domain.ts';
import { type Deployment, liveVersion } from '../lambda/stored/deployment.ts';
import { DEPLOYMENT_ID } from '../lambda/stored/deployment-id.ts';
import { confirm } from '../terminal/ask.ts';
import {
  type CommandIo,
  main as command,
  EXIT_CODES_OF_OPERATORS,
  type Output,
  UsageError,
} from '../terminal/program.ts';
import { addStageOption, openStage, type Stage } from './stage.ts';

const REASON_CHARACTERS = 500;
const NOTES = `
Until --undo, the pages of the deployment answer 451 with the reason, and so do
deploys to it and rollbacks. Ends when the copies at the edge locations are
removed, usually within 25 seconds.

${EXIT_CODES_OF_OPERATORS}`;

type Decision = Deployment['takenDown'] | null;

interface Options {
  readonly reason?: string;
  readonly undo?: boolean;
  readonly yes?: boolean;
  readonly stack?: string;
}

/** `npm run takedown` */
export const main = command('npm run takedown --', (program, io) => {
  addStageOption(program)
    .description('Takes a deployment down')
    .argument('<id>', 'the id of the deployment, or the URL of one of its pages, also on its own domain')
    .option('--reason <text>', `what its pages show, in quotes, at most ${REASON_CHARACTERS} characters`)
    .option('--undo', 'bring it back')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', NOTES)
    .action((address: string, options: Options) => takeDown(address, options, io));
});

async function takeDown(
  address: string,
  { reason, undo, yes, stack }: Options,
  io: CommandIo,
): Promise<void> {
  if (undo && reason !== undefined) throw new UsageError('--undo and --reason cannot be combined');
  const decision = undo ? null : { at: Date.now(), ...checkedReason(reason) };
  using stage = await openStage(stack, io.env);
  const baseUrl = stage.output('BaseUrl');
  const id = (await idAtDomain(address, stage)) ?? idIn(address, baseUrl);
  const url = deploymentUrl(id, baseUrl);
  if (!yes) await confirm(undo ? `Bring ${url} back?` : `Take ${url} down?`, io);
  const store = new DeploymentStore(stage.db, stage.output('DeploymentsTable'));
  const before = await decideTakeDown(id, decision, store);
  if (!before) throw new Error(`There is no deployment ${id}`);
  io.stdout.write(`${url} ${outcome(decision, before)}\n`);
  if (decision) await dropCopies(before, decision.at, stage, io.stdout);
}

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

/** Waits until no edge location serves a copy: hashed files may be cached there, and others for outages. */
async function dropCopies(
  deployment: Deployment,
  at: number,
  { cloudFront, output }: Stage,
  stdout: Output,
): Promise<void> {
  stdout.write('Removing the copies at the edge locations ...\n');
  try {
    const { id } = deployment;
    const caches = { distributionId: output('PagesDistribution'), tenants: tenantsOf(deployment) };
    await dropFromEdge(id, `${id}-takedown-${at}`, caches, cloudFront);
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
