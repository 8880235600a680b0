import type { Command } from 'commander';
import type { Client, DeploymentResource, VersionResource } from '../../../client/client.ts';
import { printable } from '../../../terminal/table.ts';
import { timestamp } from '../../../terminal/time.ts';
import type { Context } from '../context.ts';
import { readProject, recordVersion } from '../project-file.ts';
import { asOwner, requireCredential, type Target, targetOf } from '../target.ts';

/** `ptp rollback` */
export function register(program: Command, context: Context): void {
  program
    .command('rollback')
    .description('make an earlier version of a deployment live')
    .argument('[id]', 'id, URL or folder; by default the current folder')
    .argument('[version]', 'by default the one before the live version')
    .action((...args: [string | undefined, string | undefined]) => rollBack(args[0], args[1], context));
}

async function rollBack(
  first: string | undefined,
  second: string | undefined,
  context: Context,
): Promise<void> {
  const { target, deployment, version } = await readChoice(first, second, context);
  const client = await context.client({ folder: target.folder });
  const { signal } = context;
  const after = await client.deployments.rollback(target.id, {
    version: version ?? previous(deployment).version,
    // Another deploy may have replaced the live version since we read it.
    ifMatch: deployment.version,
    token: target.token,
    signal,
  });
  recordVersion(target.folder, target.id, after.version);
  const live = after.versions.find((one) => one.live);
  if (live) context.say(`Live again: ${describe(live)}`);
  context.result(after, (stdout) => stdout.write(`${after.url}\n`));
}

/** A single argument may also be a version of the deployment of the current folder. */
async function readChoice(first: string | undefined, second: string | undefined, context: Context) {
  if (first !== undefined && second === undefined && readProject(context.cwd)) {
    const target = targetOf(undefined, context);
    const deployment = await read(target, context);
    if (deployment.versions.some(({ version }) => version === first))
      return { target, deployment, version: first };
  }
  const target = targetOf(first, context);
  return { target, deployment: await read(target, context), version: second };
}

async function read(target: Target, context: Context): Promise<DeploymentResource> {
  requireCredential(target, context);
  const client: Client = await context.client({ folder: target.folder });
  const { token } = target;
  return asOwner(target, () => client.deployments.get(target.id, { token, signal: context.signal }));
}

function previous({ versions, id }: DeploymentResource): VersionResource {
  const before = versions[versions.findIndex(({ live }) => live) + 1];
  if (before) return before;
  throw new Error(`The live version of ${id} is the oldest one that is kept: there is none to go back to`);
}

function describe({ version, title, fileCount, deployedAt }: VersionResource): string {
  const name = title === null ? 'without a title' : `"${printable(title)}"`;
  const files = fileCount === 1 ? '1 file' : `${fileCount} files`;
  return `version ${version}, ${name}, ${files}, deployed ${timestamp(deployedAt)}`;
}
