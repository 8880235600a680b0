import { isIP } from 'node:net';
import { DeploymentStore } from '../lambda/deployments/deployment-store.ts';
import { decideTakeDown } from '../lambda/deployments/manage.ts';
import { deploymentUrl } from '../lambda/deployments/resource.ts';
import { type Deployment, liveVersion } from '../lambda/stored/deployment.ts';
import { deploymentIdIn } from '../lambda/stored/deployment-address.ts';
import { confirm } from '../terminal/ask.ts';
import { type CommandIo, main as command, EXIT_CODES_OF_OPERATORS, UsageError } from '../terminal/program.ts';
import { idOfKey } from './key-arguments.ts';
import { addStageOption, openStage } from './stage.ts';
import { takeDownCaller } from './takedown-all.ts';
import { callerOfAddress, callerOfKey } from './takedown-caller.ts';
import { dropCopies } from './takedown-copies.ts';
import { checkedReason, REASON_CHARACTERS, reasonText } from './takedown-reason.ts';

const NOTES = `
Until --undo, the pages of the deployment answer 451 with the reason, and so do
deploys to it and rollbacks. Ends when the copies at the edge locations are
removed, usually within 25 seconds.

--key takes the pages of a key and of the keys of its rotations. --address takes
those that were deployed from an IP address without a key in the last 30 days,
unless a key has claimed them since. Both can be interrupted and run again, and
their --undo leaves alone what was taken down on its own.

${EXIT_CODES_OF_OPERATORS}`;

type Decision = Deployment['takenDown'] | null;

interface Options {
  readonly reason?: string;
  readonly undo?: boolean;
  readonly key?: string;
  readonly address?: string;
  readonly revoke?: boolean;
  readonly yes?: boolean;
  readonly stack?: string;
}

/** `npm run takedown` */
export const main = command('npm run takedown --', (program, io) => {
  addStageOption(program)
    .description('Takes a deployment down, or everything of a caller')
    .argument('[id]', 'the id of the deployment, or the URL of one of its pages')
    .option('--key <id>', 'everything of an API key, by its id or the key itself')
    .option('--address <ip>', 'everything that an IP address deployed without a key')
    .option('--reason <text>', `what its pages show, in quotes, at most ${REASON_CHARACTERS} characters`)
    .option('--revoke', 'also revoke the key of --key')
    .option('--undo', 'bring it back')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', NOTES)
    .action((address: string | undefined, options: Options) => takeDown(address, options, io));
});

async function takeDown(address: string | undefined, options: Options, io: CommandIo): Promise<void> {
  const { reason, undo, key, address: ip, revoke = false, yes = false, stack } = options;
  if ([address, key, ip].filter((one) => one !== undefined).length !== 1)
    throw new UsageError('Name what to take down: a deployment, --key or --address');
  if (undo && reason !== undefined) throw new UsageError('--undo and --reason cannot be combined');
  if (revoke && (key === undefined || undo)) throw new UsageError('--revoke needs --key, and no --undo');
  if (ip !== undefined && isIP(ip) === 0)
    throw new UsageError(`Invalid --address ${ip}: expected an IP address`);
  const keyId = key === undefined ? undefined : idOfKey(key, '--key');
  const decision = undo ? null : { at: Date.now(), ...checkedReason(reason) };
  if (address !== undefined) return takeDownOne(address, decision, options, io);
  using stage = await openStage(stack, io.env);
  const caller =
    keyId === undefined ? await callerOfAddress(ip ?? '', stage) : await callerOfKey(keyId, stage);
  await takeDownCaller(caller, { decision, revoke, yes }, stage, io);
}

async function takeDownOne(
  address: string,
  decision: Decision,
  { yes, stack }: Options,
  io: CommandIo,
): Promise<void> {
  using stage = await openStage(stack, io.env);
  const baseUrl = stage.output('BaseUrl');
  const id = deploymentIdIn(address, baseUrl);
  if (id === undefined)
    throw new UsageError(`${address} is neither the id of a deployment nor the URL of one of its pages`);
  const url = deploymentUrl(id, baseUrl);
  if (!yes) await confirm(decision ? `Take ${url} down?` : `Bring ${url} back?`, io);
  const before = await decideTakeDown(
    id,
    decision,
    new DeploymentStore(stage.db, stage.output('DeploymentsTable')),
  );
  if (!before) throw new Error(`There is no deployment ${id}`);
  io.stdout.write(`${url} ${outcome(decision, before)}\n`);
  if (decision) await dropCopies([id], `${id}-takedown-${decision.at}`, decision.at, stage, io.stdout);
}

function outcome(decision: Decision, before: Deployment): string {
  if (decision) return `is taken down, ${reasonText(decision.reason)}`;
  const still = before.takenDown ? 'no longer' : 'not';
  return `is ${still} taken down: ${liveVersion(before) ? 'it is online' : 'its owner deleted it'}`;
}
