import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { choose } from '../../terminal/ask.ts';
import { count, printable } from '../../terminal/text.ts';
import { type FolderSite, findSite, kindOf, type Manifest, manifestOf, nameOf, warningOf } from '../folder/site.ts';
import { sourceManifest, UNUSED } from '../folder/source.ts';
import type { Context } from './context.ts';

export interface FolderOptions {
  /** Takes the folder itself, without a search for built pages and without a question. */
  readonly asIs?: boolean | undefined;
  readonly sourceMaps?: boolean | undefined;
}

/** The files that a deploy of a folder sends, and the reason why visitors may not want to see them. */
interface Inspection {
  readonly manifest: Manifest;
  readonly problem?: string | undefined;
}

/** Returns what a deploy of a folder sends: built pages, source that the service builds, or the folder as it is. */
export function inspect(folder: string, options: FolderOptions, context: Context): Inspection {
  const site = findSite(folder, options);
  const manifest = manifestOf(site, options);
  if (options.asIs) return { manifest: { ...manifest, asIs: true } };
  const found = site.folder === site.project ? kindOf(manifest) : undefined;
  if (found?.kind === 'source') return { manifest: sourceManifest(manifest) };
  if (found?.kind === 'refused') return { manifest, problem: found.reason };
  const unbuilt = `${labelOf(site, context)} has a build script, but no built pages in dist, build, out or public`;
  return { manifest, problem: site.build === undefined ? warningOf(manifest) : unbuilt };
}

/** Returns the present files of a folder that was inspected before. */
export function again({ site, variables, asIs = false }: Manifest, options: FolderOptions): Manifest {
  const manifest = { ...manifestOf(site, options), asIs };
  return variables ? sourceManifest(manifest) : manifest;
}

/** Asks before it deploys what needs a build of its own. @throws Error without a terminal, or when the user cancels */
export async function chooseFiles(folder: string, options: FolderOptions, context: Context): Promise<Manifest> {
  const { manifest, problem } = inspect(folder, options, context);
  if (problem === undefined) return manifest;
  const { build } = manifest.site;
  const answer = await ask(problem, build, context);
  if (answer === 'as-is' || build === undefined) return { ...manifest, asIs: true };
  const site = await runBuild(manifest.site, build, context);
  const built = manifestOf(site, options);
  const warning = warningOf(built);
  if (warning !== undefined) await ask(warning, undefined, context);
  return built;
}

/** Returns how messages name a folder. */
export const labelOf = ({ folder }: FolderSite, { cwd }: Context) =>
  folder === cwd ? basename(cwd) : nameOf(folder, cwd);

async function ask(problem: string, build: string | undefined, context: Context): Promise<'build' | 'as-is'> {
  if (!context.isTerminal)
    throw new Error(`${problem}. ${build ? `Run "${build}" first, or deploy` : 'Deploy'} it as it is with --as-is`);
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

/** Runs the build of a project here, and returns its pages. The output of the build goes to stderr. */
async function runBuild(site: FolderSite, command: string, context: Context): Promise<FolderSite> {
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

/** Returns a line for each file that is sent although `.gitignore` names it. */
export function importedNotices(paths: readonly string[] = []): string[] {
  return paths.map((path) => `Sending ${printable(path)}: the page imports it, although .gitignore names it`);
}

/**
 * Returns what a user should know before files are sent: what is left out although it may matter, and what becomes
 * public.
 */
export function noticesOf({ leftOut, imported, variables = [] }: Manifest): string[] {
  const pathsOf = (reason: string) => leftOut.filter((file) => file.reason === reason).map(({ path }) => path);
  const read = new Set(variables.map(({ file }) => file));
  const secrets = pathsOf('may have secrets').map(
    (path) => `Left out ${read.has(path) ? 'the rest of ' : ''}${printable(path)}: may have secrets`,
  );
  const maps = pathsOf('source map').length;
  const unused = pathsOf(UNUSED).length;
  const named = variables.map(({ name, file }) => `${name} of ${file}`).join(', ');
  return [
    ...(named === '' ? [] : [`Sending ${named}: everyone who opens the page can read that`]),
    ...importedNotices(imported),
    ...secrets,
    ...(maps === 0 ? [] : [`Left out ${count(maps, 'source map')}: --source-maps includes them`]),
    ...(unused === 0 ? [] : [`Left out ${count(unused, 'file')} that nothing imports: --dry-run lists them`]),
  ];
}
