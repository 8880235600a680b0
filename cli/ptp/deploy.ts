import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, resolve } from 'node:path';
import { choose } from '../../terminal/ask.ts';
import { LiveLines } from '../../terminal/live-lines.ts';
import { printTable } from '../../terminal/table.ts';
import { count, sizeOf, spinner, success } from '../../terminal/text.ts';
import { checkManifest, type Manifest, manifestOf, nameOf, warningOf } from '../folder/manifest.ts';
import { type FolderSite, findSite } from '../folder/site.ts';
import { openPage } from './commands/open.ts';
import type { Context } from './context.ts';
import { Publisher, type PublishOptions, type PublishResult } from './publish.ts';

export interface DeployOptions extends PublishOptions {
  /** Deploys the folder itself, without a search for built pages and without a question. */
  readonly asIs?: boolean | undefined;
  readonly sourceMaps?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly watch?: boolean | undefined;
  readonly open?: boolean | undefined;
}

/** `ptp deploy [dir]` */
export async function deploy(dir: string, options: DeployOptions, context: Context): Promise<void> {
  const folder = resolve(context.cwd, dir);
  if (options.dryRun) return printManifest(manifestOf(findSite(folder, options), options), context);
  const { manifest, publisher, published } = await deployFolder(folder, options, context);
  context.result(resultOf(published, manifest), (stdout) => stdout.write(`${published.url}\n`));
  if (options.open) await show(published.url, context);
  if (options.watch) await (await import('./watch.ts')).watchSite(manifest, publisher, options, context);
}

/** Deploys a folder, after a question if it seems to be the source of a site. Prints nothing on stdout. */
export async function deployFolder(folder: string, options: DeployOptions, context: Context) {
  const manifest = await chooseFiles(folder, options, context);
  checkManifest(manifest);
  const publisher = new Publisher(manifest.site.project, options, context);
  const leftOut = (reason: string) => manifest.leftOut.filter((file) => file.reason === reason);
  const [secrets, maps] = [leftOut('may have secrets'), leftOut('source map').length];
  for (const { path, reason } of secrets) context.say(`Left out ${path}: ${reason}`);
  if (maps > 0) context.say(`Left out ${count(maps, 'source map')}: --source-maps includes them`);
  const begin = performance.now();
  const seconds = () => (performance.now() - begin) / 1_000;
  const size = `${count(manifest.files.length, 'file')}, ${sizeOf(manifest.bytes)}`;
  const status = () => [`${spinner(performance.now())} Deploying ${size} · ${Math.floor(seconds())} s`];
  const live = context.isLive ? new LiveLines(context.stderr, status) : undefined;
  const published = await publisher.publish(manifest).finally(() => live?.stop());
  const changed = published.created ? '' : `, ${published.changed.length || 'none'} changed`;
  const done = `Deployed ${label(manifest.site, context)}: ${size}${changed} (${seconds().toFixed(1)} s)`;
  context.say(success(done, context));
  if (published.warning && options.asIs) context.stderr.write(`${published.warning}\n`);
  return { manifest, publisher, published };
}

/** Returns the result of a deploy as JSON. The token stays in `.ptp.json`: results end up in logs. */
export function resultOf({ token: _, changed, ...rest }: PublishResult, { bytes, site }: Manifest) {
  return { ...rest, bytes, changed: changed.length, folder: site.folder };
}

/** Opens a page or a file in the browser. */
export async function show(target: string, context: Context): Promise<void> {
  if (!(await openPage(target, context))) context.say('There is no display to open a browser on');
}

const label = ({ folder }: FolderSite, { cwd }: Context) =>
  folder === cwd ? basename(cwd) : nameOf(folder, cwd);

function printManifest(manifest: Manifest, context: Context): void {
  const { site, leftOut, bytes } = manifest;
  const files = manifest.files.map((file) => ({ path: file.path, bytes: file.bytes }));
  for (const { path, reason } of leftOut) context.say(`Left out ${path}: ${reason}`);
  context.say(`${label(site, context)}: ${count(files.length, 'file')}, ${sizeOf(bytes)}`);
  context.result({ folder: site.folder, fileCount: files.length, bytes, files, leftOut }, (stdout) =>
    printTable({ header: ['path', 'bytes'], rows: files.map((file) => [file.path, file.bytes]) }, stdout),
  );
  checkManifest(manifest);
}

/** Asks before it deploys source that is not built. @throws Error without a terminal, or when the user cancels */
async function chooseFiles(folder: string, options: DeployOptions, context: Context): Promise<Manifest> {
  let site = findSite(folder, options);
  if (site.build !== undefined) {
    const name = label(site, context);
    const problem = `${name} has a build script, but no built pages in dist, build, out or public`;
    if ((await ask(problem, site.build, context)) === 'as-is') return manifestOf(site, options);
    site = await build(site, site.build, context);
  }
  const manifest = manifestOf(site, options);
  const warning = options.asIs ? undefined : warningOf(manifest);
  if (warning !== undefined) await ask(warning, undefined, context);
  return manifest;
}

async function ask(problem: string, build: string | undefined, context: Context): Promise<'build' | 'as-is'> {
  if (!context.isTerminal)
    throw new Error(
      `${problem}. ${build ? `Run "${build}" first, or deploy` : 'Deploy'} it as it is with --as-is`,
    );
  const hint = "runs the project's own scripts";
  const choice = await choose(
    problem,
    [
      ...(build ? [{ value: 'build', label: `Run ${build}, then deploy`, hint } as const] : []),
      { value: 'as-is', label: 'Deploy the files as they are' } as const,
      { value: 'cancel', label: 'Cancel' } as const,
    ],
    context,
  );
  if (choice === 'cancel') throw new Error('Nothing was deployed');
  return choice;
}

/** Builds a project, and returns its pages. The output of the build goes to stderr. */
async function build(site: FolderSite, command: string, context: Context): Promise<FolderSite> {
  const child = spawn(command, {
    shell: true,
    cwd: site.project,
    stdio: ['inherit', 2, 2],
    env: context.env,
  });
  const [code] = await once(child, 'exit');
  context.signal.throwIfAborted();
  if (code !== 0) throw new Error(`"${command}" failed; nothing was deployed`);
  const built = findSite(site.project);
  if (built.build === undefined) return built;
  throw new Error(
    'The build made no index.html in dist, build, out or public: deploy the folder that it made, with "ptp deploy <folder>"',
  );
}
