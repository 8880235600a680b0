import { Argument, type Command } from 'commander';
import type { Client, DeploymentResource, VersionResource } from '../../../client/client.ts';
import { confirm } from '../../../terminal/ask.ts';
import { printable, sizeOf, success, timestamp } from '../../../terminal/text.ts';
import { writeOutput } from '../../../terminal/written-files.ts';
import type { Context } from '../context.ts';
import { readProject, recordClaim, recordVersion } from '../local-files.ts';
import {
  ACCESS,
  type AccessKind,
  type AccessOptions,
  accessLines,
  accessOf,
  LINK_EXPIRES_OPTION,
  PASSWORD_OPTION,
} from '../page-settings.ts';
import { asOwner, ownTarget, requireCredential, TARGET, type Target, targetOf } from '../target.ts';

/** `ptp open` */
export function registerOpen(program: Command, context: Context): void {
  program
    .command('open')
    .description('open a deployment in the browser')
    .argument(...TARGET)
    .action((argument?: string) => open(argument, context));
}

async function open(argument: string | undefined, context: Context): Promise<void> {
  const { id, folder } = targetOf(argument, context);
  const url = `${context.baseUrl(folder)}/d/${id}`;
  if (!(await openPage(url, context))) context.say('There is no display to open a browser on');
  context.result({ id, url }, (stdout) => stdout.write(`${url}\n`));
}

/** Opens a page in the browser. Returns whether there is a display and a program that opens it. */
export async function openPage(url: string, { env }: Pick<Context, 'env'>): Promise<boolean> {
  const { platform } = process;
  const headless = platform !== 'darwin' && platform !== 'win32' && !env.DISPLAY && !env.WAYLAND_DISPLAY;
  if (headless && !env.WSL_DISTRO_NAME) return false;
  const { default: open } = await import('open');
  return open(url).then(
    () => true,
    () => false,
  );
}

/** `ptp access` */
export function registerAccess(program: Command, context: Context): void {
  program
    .command('access')
    .description('change who may see a deployment, or show it')
    .addArgument(new Argument('[access]', 'who may see it; by default, shows it').choices(ACCESS))
    .argument(...TARGET)
    .option(...PASSWORD_OPTION)
    .option(...LINK_EXPIRES_OPTION)
    .action((access: AccessKind | undefined, id: string | undefined, options: AccessOptions) =>
      changeAccess(id, { ...options, access }, context),
    );
}

async function changeAccess(id: string | undefined, options: AccessOptions, context: Context): Promise<void> {
  const { target, client, options: credentials } = await ownTarget(id, context);
  const settings = await accessOf(options, context);
  const deployment = await asOwner(target, () =>
    options.access === undefined
      ? client.deployments.get(target.id, credentials)
      : client.deployments.change(target.id, { ...settings, ...credentials }),
  );
  for (const line of accessLines(deployment, Date.now())) context.say(line);
  context.result(deployment, (stdout) => stdout.write(`${deployment.link?.url ?? deployment.url}\n`));
}

/** `ptp claim` */
export function registerClaim(program: Command, context: Context): void {
  program
    .command('claim')
    .description('keep a deployment made without a key: make it yours')
    .argument(...TARGET)
    .action((argument?: string) => claim(argument, context));
}

async function claim(argument: string | undefined, context: Context): Promise<void> {
  const target = targetOf(argument, context);
  const { id, token, folder } = target;
  const client = await context.client({ folder, needsKey: true });
  const claimed = await asOwner(target, () => client.deployments.claim(id, { token, signal: context.signal })).catch(
    (error: unknown) => {
      throw explained(error, target);
    },
  );
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

/** `ptp rollback` */
export function registerRollback(program: Command, context: Context): void {
  program
    .command('rollback')
    .description('make an earlier version of a deployment live')
    .argument(...TARGET)
    .argument('[version]', 'by default the one before the live version')
    .action((...args: [string | undefined, string | undefined]) => rollBack(args[0], args[1], context));
}

async function rollBack(first: string | undefined, second: string | undefined, context: Context): Promise<void> {
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
    if (deployment.versions.some(({ version }) => version === first)) return { target, deployment, version: first };
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

/** `ptp delete` */
export function registerDelete(program: Command, context: Context): void {
  program
    .command('delete')
    .description('delete a deployment with all its versions')
    .argument(...TARGET)
    .option('-y, --yes', 'do not ask for confirmation')
    .action((argument: string | undefined, { yes = false }: { yes?: boolean }) => remove(argument, yes, context));
}

async function remove(argument: string | undefined, yes: boolean, context: Context): Promise<void> {
  const { target, client, options } = await ownTarget(argument, context);
  const { id } = target;
  if (!yes) {
    const { url, title, versions } = await asOwner(target, () => client.deployments.get(id, options));
    const name = title === null ? '' : ` "${printable(title)}"`;
    const kept = versions.length === 1 ? '' : ` and its ${versions.length} versions`;
    await confirm(`Delete ${url}${name}${kept}?`, context);
  }
  const deleted = await asOwner(target, () => client.deployments.delete(id, options));
  const copies = deleted.copiesUntil > Date.now() ? `; copies may be seen until ${timestamp(deleted.copiesUntil)}` : '';
  const { backupsUntil: until } = deleted;
  const backups = until === undefined ? '' : `; backups keep its data until ${timestamp(until)}`;
  context.say(`Deleted ${id}${copies}${backups}`);
  if (context.json) context.result(deleted, () => {});
}

/** `ptp zip` */
export function registerZip(program: Command, context: Context): void {
  program
    .command('zip')
    .description('write the files of a deployment to a zip')
    .argument(...TARGET)
    .option('-o, --output <file>', 'the zip (default: <id>.zip)')
    .option('--force', 'replace a file')
    .action((id: string | undefined, options: Options) => zip(id, options, context));
}

interface Options {
  readonly output?: string;
  readonly force?: boolean;
}

async function zip(argument: string | undefined, options: Options, context: Context): Promise<void> {
  const { target, client, options: credentials } = await ownTarget(argument, context);
  const { id } = target;
  const { output = `${id}.zip`, force = false } = options;
  const bytes = await asOwner(target, () => client.deployments.archive(id, credentials));
  const file = writeZip(output, bytes, force, context);
  context.say(success(`Wrote ${output}, ${sizeOf(bytes.length)}`, context));
  context.result({ id, file, bytes: bytes.length }, (stdout) => stdout.write(`${output}\n`));
}

function writeZip(output: string, bytes: Uint8Array, force: boolean, { cwd }: Context): string {
  try {
    return writeOutput(output, cwd, bytes, force);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Error(`There is a file ${output} already: --force replaces it, -o names another one`);
  }
}
