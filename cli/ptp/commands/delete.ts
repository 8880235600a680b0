import type { Command } from 'commander';
import { confirm } from '../../../terminal/ask.ts';
import { printable } from '../../../terminal/table.ts';
import { timestamp } from '../../../terminal/time.ts';
import type { Context } from '../context.ts';
import { asOwner, requireCredential, targetOf } from '../target.ts';

/** `ptp delete` */
export function register(program: Command, context: Context): void {
  program
    .command('delete')
    .description('delete a deployment with all its versions')
    .argument('[id]', 'id, URL or folder; by default the current folder')
    .option('-y, --yes', 'do not ask for confirmation')
    .action((argument: string | undefined, { yes = false }: { yes?: boolean }) =>
      remove(argument, yes, context),
    );
}

async function remove(argument: string | undefined, yes: boolean, context: Context): Promise<void> {
  const target = targetOf(argument, context);
  requireCredential(target, context);
  const { signal } = context;
  const { id, token, folder } = target;
  const client = await context.client({ folder });
  if (!yes) {
    const { url, title, versions } = await asOwner(target, () =>
      client.deployments.get(id, { token, signal }),
    );
    const name = title === null ? '' : ` "${printable(title)}"`;
    const kept = versions.length === 1 ? '' : ` and its ${versions.length} versions`;
    await confirm(`Delete ${url}${name}${kept}?`, context);
  }
  const deleted = await asOwner(target, () => client.deployments.delete(id, { token, signal }));
  const copies =
    deleted.copiesUntil > Date.now() ? `; copies may be seen until ${timestamp(deleted.copiesUntil)}` : '';
  context.say(`Deleted ${id}${copies}`);
  if (context.json) context.result(deleted, () => {});
}
