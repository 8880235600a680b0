import type { Command } from 'commander';
import { success } from '../../../terminal/text.ts';
import type { Context } from '../context.ts';
import { recordClaim } from '../project-file.ts';
import { asOwner, type Target, targetOf } from '../target.ts';

/** `ptp claim` */
export function register(program: Command, context: Context): void {
  program
    .command('claim')
    .description('keep a deployment made without a key: make it yours')
    .argument('[id]', 'id, URL or folder; by default the current folder')
    .action((argument?: string) => claim(argument, context));
}

async function claim(argument: string | undefined, context: Context): Promise<void> {
  const target = targetOf(argument, context);
  const { id, token, folder } = target;
  const client = await context.client({ folder, needsKey: true });
  const claimed = await asOwner(target, () =>
    client.deployments.claim(id, { token, signal: context.signal }),
  ).catch((error: unknown) => {
    throw explained(error, target);
  });
  recordClaim(folder, context.baseUrl(folder), id);
  context.say(success(`Claimed ${id}: it belongs to your API key, and stays`, context));
  context.result(claimed, (stdout) => stdout.write(`${claimed.url}\n`));
}

/** Returns the error of a claim; for one without the token, with where that is. */
function explained(error: unknown, { id, token }: Target): unknown {
  const { status } = Object(error) as { status?: number };
  if (token !== undefined || (status !== 401 && status !== 403)) return error;
  const message = `The token of deployment ${id} is not here: run "ptp claim" in the folder that it was deployed from`;
  return Object.assign(new Error(message), { status });
}
