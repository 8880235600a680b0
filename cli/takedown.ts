import { isIP } from 'node:net';
import {
  type CommandIo,
  main as command,
  EXIT_CODES_OF_OPERATORS,
  runProcess,
  UsageError,
} from '../terminal/program.ts';
import { idOfKey } from './keys.ts';
import { addStageOption, openStage, type Stage } from './stage.ts';
import { callerOfAddress, callerOfKey, callerOfPage, type NamedCaller, takeDownCaller } from './takedown/caller.ts';
import { checkedReason, deploymentIn, REASON_CHARACTERS, takeDownOne } from './takedown/one.ts';

const NOTES = `
Until --undo, the pages of the deployment answer 451 with the reason, and so do
deploys to it and rollbacks. Ends when the copies at the edge locations are
removed, usually within 25 seconds.

--key takes the pages of a key and of the keys of its rotations. --address takes
those that were deployed from an IP address without a key in the last 30 days,
unless a key has claimed them since. --caller-of finds either by a page. All can
be interrupted and run again. --undo keeps pages that were taken down one by one.

${EXIT_CODES_OF_OPERATORS}`;

interface Options {
  readonly reason?: string;
  readonly undo?: boolean;
  readonly key?: string;
  readonly address?: string;
  readonly callerOf?: string;
  readonly revoke?: boolean;
  readonly yes?: boolean;
  readonly stack?: string;
}

export const main = command('npm run takedown --', (program, io) => {
  addStageOption(program)
    .description('Takes a deployment down, or everything of a caller')
    .argument('[id]', 'the id of the deployment, or the URL of one of its pages, also on its own domain')
    .option('--key <id>', 'everything of an API key, by its id or the key itself')
    .option('--address <ip>', 'everything that an IP address deployed without a key')
    .option('--caller-of <id>', 'everything of the owner of a page, or of the addresses that deployed it')
    .option('--reason <text>', `what its pages show, in quotes, at most ${REASON_CHARACTERS} characters`)
    .option('--revoke', 'also revoke the keys')
    .option('--undo', 'bring it back')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', NOTES)
    .action((address: string | undefined, options: Options) => takeDown(address, options, io));
});

async function takeDown(address: string | undefined, options: Options, io: CommandIo): Promise<void> {
  const { reason, undo, key, address: ip, callerOf, revoke = false, yes = false, stack } = options;
  if ([address, key, ip, callerOf].filter((one) => one !== undefined).length !== 1)
    throw new UsageError('Name one to take down: a deployment, --key, --address or --caller-of');
  if (undo && reason !== undefined) throw new UsageError('--undo and --reason cannot be combined');
  if (revoke && ((key ?? callerOf) === undefined || undo))
    throw new UsageError('--revoke needs --key or --caller-of, and no --undo');
  if (ip !== undefined && isIP(ip) === 0) throw new UsageError(`Invalid --address ${ip}: expected an IP address`);
  const keyId = key === undefined ? undefined : idOfKey(key, '--key');
  const decision = undo ? null : { at: Date.now(), ...checkedReason(reason) };
  using stage = await openStage(stack, io.env);
  if (address !== undefined) return takeDownOne(await deploymentIn(address, stage), decision, yes, stage, io);
  const caller = await namedCaller({ keyId, ip, callerOf }, stage);
  await takeDownCaller(caller, { decision, revoke, yes }, stage, io);
}

async function namedCaller(
  { keyId, ip, callerOf }: { keyId: string | undefined; ip: string | undefined; callerOf: string | undefined },
  stage: Stage,
): Promise<NamedCaller> {
  if (keyId !== undefined) return callerOfKey(keyId, stage);
  if (ip !== undefined) return callerOfAddress(ip, stage);
  return callerOfPage(await deploymentIn(callerOf ?? '', stage), stage);
}

if (import.meta.main) await runProcess(main);
