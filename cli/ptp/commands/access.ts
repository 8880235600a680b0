import { Argument, type Command } from 'commander';
import type { Context } from '../context.ts';
import {
  ACCESS,
  type AccessKind,
  type AccessOptions,
  accessOf,
  LINK_EXPIRES_OPTION,
  PASSWORD_OPTION,
} from '../page-settings.ts';
import { accessLines } from '../settings-lines.ts';
import { asOwner, requireCredential, targetOf } from '../target.ts';

/** `ptp access` */
export function register(program: Command, context: Context): void {
  program
    .command('access')
    .description('change who may see a deployment, or show it')
    .addArgument(new Argument('[access]', 'who may see it; by default, shows it').choices(ACCESS))
    .argument('[id]', 'id, URL or folder; by default the current folder')
    .option(...PASSWORD_OPTION)
    .option(...LINK_EXPIRES_OPTION)
    .action((access: AccessKind | undefined, id: string | undefined, options: AccessOptions) =>
      changeAccess(id, { ...options, access }, context),
    );
}

async function changeAccess(id: string | undefined, options: AccessOptions, context: Context): Promise<void> {
  const target = targetOf(id, context);
  requireCredential(target, context);
  const settings = await accessOf(options, context);
  const client = await context.client({ folder: target.folder });
  const credentials = { token: target.token, signal: context.signal };
  const deployment = await asOwner(target, () =>
    options.access === undefined
      ? client.deployments.get(target.id, credentials)
      : client.deployments.change(target.id, { ...settings, ...credentials }),
  );
  for (const line of accessLines(deployment, Date.now())) context.say(line);
  context.result(deployment, (stdout) => stdout.write(`${deployment.link?.url ?? deployment.url}\n`));
}
