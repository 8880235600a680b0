import { resolve } from 'node:path';
import { LiveLines } from '../../terminal/live-lines.ts';
import { printTable } from '../../terminal/table.ts';
import { count, painter, sizeOf, spinner, success } from '../../terminal/text.ts';
import { checkManifest, type Manifest } from '../folder/manifest.ts';
import { chooseFiles, type FolderOptions, inspect, labelOf } from './choose-files.ts';
import { openPage } from './commands/open.ts';
import type { Context } from './context.ts';
import { type DeployLookOptions, showDeployLook, waitsForLook } from './deploy-look.ts';
import { noticesOf } from './notices.ts';
import { type AccessOptions, accessOf, type LifeOptions, lifeOf } from './page-settings.ts';
import { explainBuild } from './problems.ts';
import { Publisher, type PublishOptions, type PublishResult } from './publish.ts';
import { accessLines, expiryLine } from './settings-lines.ts';

export interface DeployOptions
  extends FolderOptions,
    PublishOptions,
    DeployLookOptions,
    AccessOptions,
    LifeOptions {
  readonly dryRun?: boolean | undefined;
  readonly watch?: boolean | undefined;
  readonly open?: boolean | undefined;
}

/** `ptp deploy [dir]` */
export async function deploy(dir: string, options: DeployOptions, context: Context): Promise<void> {
  const folder = resolve(context.cwd, dir);
  if (options.dryRun) return printManifest(inspect(folder, options, context).manifest, context);
  const { manifest, publisher, published } = await deployFolder(folder, options, context).catch((error) => {
    throw explainBuild(error, folder, 'Nothing was deployed', context);
  });
  const result = resultOf(published, manifest);
  // One document has both.
  const isLater = context.json && options.look;
  const { url } = published.link ?? published;
  if (!isLater) context.result(result, (stdout) => stdout.write(`${url}\n`));
  if (options.open) await show(url, context);
  if (options.watch) {
    const { watchSite } = await import('./watch.ts');
    return watchSite({ manifest, publisher, published }, options, context);
  }
  if (!waitsForLook(options, context)) return;
  const look = await showDeployLook(publisher, published, manifest, options, context);
  if (isLater) context.result({ ...result, look }, () => {});
}

/**
 * Deploys a folder, after a question if it needs a build of its own. Prints nothing on stdout.
 * @throws ApiError with `problems` for source that the service cannot build
 */
export async function deployFolder(folder: string, options: DeployOptions, context: Context) {
  const settings = { ...lifeOf(options), ...(await accessOf(options, context)) };
  const manifest = await chooseFiles(folder, options, context);
  checkManifest(manifest);
  const publisher = new Publisher(manifest.site.project, options, context);
  for (const notice of noticesOf(manifest)) context.say(notice);
  const begin = performance.now();
  const seconds = () => (performance.now() - begin) / 1_000;
  const size = `${count(manifest.files.length, 'file')}, ${sizeOf(manifest.bytes)}`;
  const doing = manifest.variables ? 'Building and deploying' : 'Deploying';
  const status = () => [`${spinner(performance.now())} ${doing} ${size} · ${Math.floor(seconds())} s`];
  const live = context.isLive ? new LiveLines(context.stderr, status) : undefined;
  const published = await publisher.publish(manifest, settings).finally(() => live?.stop());
  const changed = published.created ? '' : `, ${published.changed.length || 'none'} changed`;
  const done = manifest.variables ? 'Built and deployed' : 'Deployed';
  const label = labelOf(manifest.site, context);
  context.say(success(`${done} ${label}: ${size}${changed} (${seconds().toFixed(1)} s)`, context));
  for (const line of settingsLines(published, publisher.isAnonymous)) context.say(line);
  if (published.warning) context.stderr.write(`${painter(context.color)('yellow', published.warning)}\n`);
  return { manifest, publisher, published };
}

function settingsLines(published: PublishResult, isAnonymous: boolean): string[] {
  const now = Date.now();
  const expiry = expiryLine(published, isAnonymous, now);
  return [...(expiry === undefined ? [] : [expiry]), ...accessLines(published, now)];
}

/** Returns the result of a deploy as JSON. The token, without which there is no claim, stays in `.ptp.json`: results end up in logs. */
export function resultOf(
  { token: _, claimUrl: __, changed, ...rest }: PublishResult,
  { bytes, site }: Manifest,
) {
  return { ...rest, bytes, changed: changed.length, folder: site.folder };
}

/** Opens a page or a file in the browser. */
export async function show(target: string, context: Context): Promise<void> {
  if (!(await openPage(target, context))) context.say('There is no display to open a browser on');
}

function printManifest(manifest: Manifest, context: Context): void {
  const { site, leftOut, bytes, variables } = manifest;
  const files = manifest.files.map((file) => ({ path: file.path, bytes: file.bytes }));
  for (const { path, reason } of leftOut) context.say(`Left out ${path}: ${reason}`);
  const then = variables ? ', which the service builds' : '';
  context.say(`${labelOf(site, context)}: ${count(files.length, 'file')}, ${sizeOf(bytes)}${then}`);
  const names = variables && { variables: variables.map(({ name, file }) => ({ name, file })) };
  context.result(
    { folder: site.folder, fileCount: files.length, bytes, files, leftOut, ...names },
    (stdout) =>
      printTable({ header: ['path', 'bytes'], rows: files.map((file) => [file.path, file.bytes]) }, stdout),
  );
  checkManifest(manifest);
}
