import { resolve } from 'node:path';
import type { Look } from '../../client/client.ts';
import { LiveLines } from '../../terminal/live-lines.ts';
import { count, painter, printable, printTable, sizeOf, spinner, success, wrap } from '../../terminal/text.ts';
import { Changes } from '../folder/changes.ts';
import { contentOf } from '../folder/scan.ts';
import { checkManifest, type Manifest, nameOf } from '../folder/site.ts';
import {
  again,
  chooseFiles,
  type FolderOptions,
  importedNotices,
  inspect,
  labelOf,
  noticesOf,
} from './choose-files.ts';
import { openPage } from './commands/deployments.ts';
import type { Context } from './context.ts';
import { sayLook } from './look.ts';
import { type AccessOptions, accessLines, accessOf, expiryLine, type LifeOptions, lifeOf } from './page-settings.ts';
import { explainBuild } from './problems.ts';
import { Publisher, type PublishOptions, type PublishResult } from './publish.ts';

export interface DeployOptions extends FolderOptions, PublishOptions, DeployLookOptions, AccessOptions, LifeOptions {
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
  if (options.watch) return watchSite({ manifest, publisher, published }, options, context);
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

/**
 * Returns the result of a deploy as JSON. The token, without which there is no claim, stays in `.ptp.json`: results end
 * up in logs.
 */
export function resultOf({ token: _, claimUrl: __, changed, ...rest }: PublishResult, { bytes, site }: Manifest) {
  return { ...rest, bytes, changed: changed.length, folder: site.folder };
}

/** Opens a page in the browser. @throws Error for another URL of the service, whose program would open it */
export async function show(url: string, context: Context): Promise<void> {
  if (!/^https?:\/\//.test(url)) throw new Error(`The service sent the URL "${url}", which is not opened`);
  await showFile(url, context);
}

/** Opens a file of this machine in the browser. */
export async function showFile(target: string, context: Context): Promise<void> {
  if (!(await openPage(target, context))) context.say('There is no display to open a browser on');
}

function printManifest(manifest: Manifest, context: Context): void {
  const { site, leftOut, imported, bytes, variables } = manifest;
  const files = manifest.files.map((file) => ({ path: file.path, bytes: file.bytes }));
  for (const { path, reason } of leftOut) context.say(`Left out ${printable(path)}: ${reason}`);
  for (const notice of importedNotices(imported)) context.say(notice);
  const then = variables ? ', which the service builds' : '';
  context.say(`${labelOf(site, context)}: ${count(files.length, 'file')}, ${sizeOf(bytes)}${then}`);
  const names = variables && { variables: variables.map(({ name, file }) => ({ name, file })) };
  context.result({ folder: site.folder, fileCount: files.length, bytes, files, leftOut, ...names }, (stdout) =>
    printTable({ header: ['path', 'bytes'], rows: files.map((file) => [file.path, file.bytes]) }, stdout),
  );
  checkManifest(manifest);
}

interface DeployLookOptions {
  /** True to wait for what a browser sees of the page. By default, only if a person reads all of the output. */
  readonly look?: boolean | undefined;
}

/** The longest wait by default, and with `--look`. */
const WAIT_MS = { standard: 15_000, asked: 60_000 };

/** Returns whether to wait for a look: a script gets the URL without a delay, unless it asks. */
function waitsForLook({ look }: DeployLookOptions, { json, isLive, stdout }: Context): boolean {
  return look ?? (isLive && stdout.isTTY === true && !json);
}

/**
 * Shows what a browser saw of a version that was just deployed, after waiting for it. The page is live: no failure
 * changes that.
 * @returns undefined if nobody looked, or the time was over
 */
async function showDeployLook(
  publisher: Publisher,
  published: PublishResult,
  manifest: Manifest,
  { look: asked = false }: DeployLookOptions,
  context: Context,
): Promise<Look | undefined> {
  const waitMs = asked ? WAIT_MS.asked : WAIT_MS.standard;
  const look = await publisher.look(published, waitMs, context).catch(() => undefined);
  // That a service does not look is said once.
  if (look === undefined || (look.state === 'skipped' && !published.created && !asked)) return look;
  sayLook(look, manifest.site.folder, context);
  const isPublic = published.access === undefined || published.access === 'public';
  if (published.created && isPublic && context.isTerminal && look.screenshots?.[1280] !== undefined)
    for (const line of imageHint(published, manifest, context.columns)) context.say(line);
  return look;
}

/** Returns the line with which other sites show the picture where they link the page; nothing if the page names one. */
function imageHint({ url, entry }: PublishResult, { files }: Manifest, columns: number): string[] {
  const page = files.find(({ path }) => path === entry);
  if (page === undefined || contentOf(page).toString().includes('og:image')) return [];
  const what = `Add this line to the <head> of ${entry}, and links to the page are shown with its picture:`;
  return [...wrap(what, columns, ''), `  <meta property="og:image" content="${url}.png">`];
}

/** The first deploy, which later ones repeat. */
interface Deployed {
  readonly manifest: Manifest;
  readonly publisher: Publisher;
  readonly published: PublishResult;
}

/**
 * Deploys a site whenever its files change, until Ctrl-C. A failure is one line, after the problems of a build, and the
 * next change tries again. What a browser sees is shown once it has looked.
 */
async function watchSite(
  { manifest: deployed, publisher, published }: Deployed,
  options: FolderOptions & DeployLookOptions,
  context: Context,
): Promise<void> {
  const { site } = deployed;
  const showLook = (version: PublishResult, manifest: Manifest) => {
    if (waitsForLook(options, context))
      void showDeployLook(publisher, version, manifest, options, { ...context, isLive: false });
  };
  const changes = new Changes(context.signal);
  const say = (text: string) => context.say(`${new Date().toLocaleTimeString('sv')} ${text}`);
  let last = deployed;
  const hasIndex = ({ files }: Pick<Manifest, 'files'>) => files.some(({ path }) => path === 'index.html');
  // The project's folder shows that a build deletes and makes the folder of the pages.
  changes.follow([site.project, ...deployed.folders]);
  showLook(published, deployed);
  context.say(`Watching ${nameOf(site.folder, context.cwd)}; Ctrl-C ends`);
  while (await changes.next()) {
    try {
      const manifest = again(deployed, options);
      changes.follow([site.project, ...manifest.folders]);
      // In the middle of a build, the page is not there yet.
      if ((hasIndex(deployed) && !hasIndex(manifest)) || (await publisher.isUnchanged(manifest))) continue;
      checkManifest(manifest);
      const begin = performance.now();
      const version = await publisher.publish(manifest);
      const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
      say(`Deployed ${describe(version.changed, manifest, last)} (${seconds} s)`);
      last = manifest;
      showLook(version, manifest);
    } catch (error) {
      // The deletion of a file that vanished meanwhile is a change of its own.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' || context.signal.aborted) continue;
      say((explainBuild(error, site.folder, 'The page is as before', context) as Error).message);
    }
  }
  changes.follow([]);
}

/** Returns the changes of a deploy in a few words. @param changed paths that are new or changed */
function describe(changed: readonly string[], { files }: Manifest, before: Manifest): string {
  if (changed.length > 3) return count(changed.length, 'file');
  if (changed.length > 0) return changed.join(', ');
  return files.length < before.files.length ? 'deletions' : 'variables';
}
