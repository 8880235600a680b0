import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { choose } from '../ask.ts';
import { printTable } from '../table.ts';
import type { Context } from './context.ts';
import { LiveLine } from './live-line.ts';
import { folderName, type Manifest, manifestOf, noticesOf, warningOf } from './manifest.ts';
import { type Published, Publisher, type PublishOptions } from './publish.ts';
import { findSite, type Site } from './site.ts';
import { count, painter, sizeOf, spinner } from './text.ts';

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
  if (options.dryRun)
    return printManifest(manifestOf(findSite(resolve(context.cwd, dir), options), options), context);
  const { manifest, publisher, published } = await deployFolder(resolve(context.cwd, dir), options, context);
  context.result(resultOf(published, manifest), (stdout) => stdout.write(`${published.url}\n`));
  if (options.open) await openPage(published.url);
  if (options.watch) await (await import('./watch.ts')).watchSite(manifest, publisher, options, context);
}

/** Deploys a folder, after a question if it seems to be the source of a site. Prints nothing on stdout. */
export async function deployFolder(dir: string, options: DeployOptions, context: Context) {
  const { manifest, known } = await chooseFiles(dir, options, context);
  const publisher = new Publisher(manifest.site.project, options, context);
  for (const notice of noticesOf(manifest)) context.say(notice);
  const begin = performance.now();
  const elapsed = () => (performance.now() - begin) / 1_000;
  const size = `${count(manifest.files.length, 'file')}, ${sizeOf(manifest.bytes)}`;
  const line = () => `${spinner(performance.now())} Deploying ${size} · ${Math.floor(elapsed())} s`;
  const live = LiveLine.on(context, line);
  const published = await publisher.publish(manifest).finally(() => live?.stop());
  const changed = published.created ? '' : `, ${published.changed.length} changed`;
  const done = `Deployed ${folderName(manifest, context.cwd)}: ${size}${changed} (${elapsed().toFixed(1)} s)`;
  context.say(`${painter(context.color)('green', '✓')} ${done}`);
  if (published.warning && published.warning !== known) context.stderr.write(`${published.warning}\n`);
  return { manifest, publisher, published };
}

/** The result of a deploy as JSON. The token stays in `.ptp.json`, because results end up in logs. */
export function resultOf(published: Published, manifest: Manifest) {
  const { token: _, changed, ...rest } = published;
  return { ...rest, bytes: manifest.bytes, changed: changed.length, folder: manifest.site.folder };
}

export async function openPage(target: string): Promise<void> {
  const { default: open } = await import('open');
  await open(target);
}

function printManifest(manifest: Manifest, context: Context): void {
  const { site, files, leftOut, bytes } = manifest;
  context.say(`${folderName(manifest, context.cwd)}: ${count(files.length, 'file')}, ${sizeOf(bytes)}`);
  const listed = files.map(({ path, bytes: size }) => ({ path, bytes: size }));
  context.result({ folder: site.folder, fileCount: files.length, bytes, files: listed, leftOut }, (stdout) =>
    printTable({ header: ['path', 'bytes'], rows: files.map((file) => [file.path, file.bytes]) }, stdout),
  );
  for (const { path, reason } of leftOut) context.say(`Left out ${path}: ${reason}`);
}

/**
 * Returns the files to deploy, and what the user has agreed to see as it is.
 * @throws Error for the source of a site, where nobody can be asked or the answer is to cancel
 */
async function chooseFiles(
  dir: string,
  options: DeployOptions,
  context: Context,
): Promise<{ manifest: Manifest; known?: string }> {
  let site = findSite(dir, options);
  if (site.build !== undefined) {
    const problem = `${folderName({ site }, context.cwd)} has a build script, but no pages in dist, build, out or public`;
    const answer = await ask(problem, site.build, context);
    if (answer === 'as-is') return { manifest: manifestOf(site, options), known: problem };
    site = await build(site, site.build, context);
  }
  const manifest = manifestOf(site, options);
  const known = options.asIs ? undefined : warningOf(manifest);
  if (known === undefined) return { manifest };
  await ask(known, undefined, context);
  return { manifest, known };
}

async function ask(problem: string, build: string | undefined, context: Context): Promise<'build' | 'as-is'> {
  if (!context.isTerminal)
    throw new Error(
      `${problem}. ${build ? `Run "${build}" first, or deploy` : 'Deploy'} it as it is with --as-is`,
    );
  const answer = await choose(
    `${problem}.`,
    [
      ...(build
        ? [
            {
              value: 'build',
              label: `Run ${build}, then deploy`,
              hint: "runs the project's scripts",
            } as const,
          ]
        : []),
      { value: 'as-is', label: 'Deploy the files as they are' } as const,
      { value: 'cancel', label: 'Cancel' } as const,
    ],
    context,
  );
  if (answer === 'cancel') throw new Error('Nothing was deployed');
  return answer;
}

/** Builds a project, and returns its pages. What the build prints goes to stderr. */
async function build(site: Site, command: string, context: Context): Promise<Site> {
  const child = spawn(command, {
    shell: true,
    cwd: site.project,
    stdio: ['inherit', 2, 2],
    env: context.env,
  });
  const code = await new Promise((done, fail) => child.on('error', fail).on('exit', done));
  context.signal.throwIfAborted();
  if (code !== 0) throw new Error(`"${command}" failed; nothing was deployed`);
  const built = findSite(site.project);
  if (built.build === undefined) return built;
  throw new Error(
    'The build made no index.html in dist, build, out or public: deploy the folder that it made, with "ptp deploy <folder>"',
  );
}
