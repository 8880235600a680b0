import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { parseEnv } from 'node:util';
import { LIMITS } from '../../lambda/contract/limits.ts';
import { entryOf, PathSet } from '../../lambda/sites/paths.ts';
import { type ProjectKind, projectKind } from '../../lambda/sites/source/kind.ts';
import { ENV_FILES, readVariables as variablesOf } from '../../lambda/sites/source/variables.ts';
import { buildWarning } from '../../lambda/sites/unbuilt-page.ts';
import { count, sizeOf } from '../../terminal/text.ts';
import { contentOf, IgnoreRules, type Scan, scanFolder, targetOf } from './scan.ts';

/** A folder to deploy. */
export interface FolderSite {
  /** The project's folder, which has `.ptp.json`. */
  readonly project: string;
  /** The folder with the pages: the project's or one in it. */
  readonly folder: string;
  /** The folder whose `.gitignore` is the outermost: that of the repository, or the project's. */
  readonly outermost: string;
  /** The command that builds the project, if it has a build script but no built pages. */
  readonly build?: string;
}

/** Where build tools put their pages, in the order in which they are looked for. */
const OUTPUTS = ['dist', 'build', 'out', 'public'];
const LOCKS = { 'pnpm-lock.yaml': 'pnpm', 'yarn.lock': 'yarn', 'bun.lock': 'bun' };

/**
 * Finds the pages of a project.
 * @param dir the project's folder, or its output folder
 * @param asIs whether to take `dir` itself, whatever it has
 * @throws Error unless `dir` is a folder
 */
export function findSite(dir: string, { asIs }: { asIs?: boolean | undefined } = {}): FolderSite {
  if (!existsSync(dir)) throw new Error(`There is no folder "${dir}"`);
  if (!statSync(dir).isDirectory()) throw new Error(`"${dir}" is a file: name the folder that it is in`);
  const folder = realpathSync(dir);
  const isOutput = OUTPUTS.includes(basename(folder)) && isProject(dirname(folder));
  const project = isOutput ? dirname(folder) : folder;
  const outermost = repositoryOf(project) ?? project;
  if (isOutput || asIs) return { project, folder, outermost };
  const build = buildOf(project);
  const output = OUTPUTS.map((name) => join(project, name)).find(
    (path) => existsSync(join(path, 'index.html')) && !(build && isTemplate(path, outermost)),
  );
  if (output !== undefined) return { project, folder: within(project, output), outermost };
  return { project, folder, outermost, ...(build ? { build } : {}) };
}

/** Returns a folder of a project without symbolic links. @throws Error for one that leads out of the project */
function within(project: string, folder: string): string {
  const real = realpathSync(folder);
  if (real.startsWith(project + sep)) return folder;
  throw new Error(`The symbolic link "${folder}" leads out of the folder, to ${real}: name that folder to deploy it`);
}

function isProject(folder: string): boolean {
  return ['package.json', '.git', '.ptp.json'].some((name) => existsSync(join(folder, name)));
}

/**
 * Some tools build to `public`, but others, such as Create React App, keep the template of their page there, and in
 * git.
 */
function isTemplate(path: string, outermost: string): boolean {
  return basename(path) === 'public' && !IgnoreRules.around(path, outermost).ignoredByGit(path, true);
}

/** Returns the folder of the git repository that a folder is in. */
export function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  return folder === dirname(folder) ? undefined : repositoryOf(dirname(folder));
}

function buildOf(project: string): string | undefined {
  try {
    const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
    if (typeof scripts.build !== 'string') return undefined;
  } catch {
    return undefined;
  }
  const [, manager] = Object.entries(LOCKS).find(([lock]) => existsSync(join(project, lock))) ?? ['', 'npm'];
  const install = existsSync(join(project, 'node_modules')) ? '' : `${manager} install && `;
  return `${install}${manager} run build`;
}

/** The files of a site, or the source that the service builds. */
export interface Manifest extends Scan {
  readonly site: FolderSite;
  readonly bytes: number;
  /** Whether the service must publish the files as they are, even if they are source. */
  readonly asIs?: boolean;
  /** Paths that are sent because code imports them, although `.gitignore` names them. */
  readonly imported?: readonly string[];
  /** The variables that are sent with source, which the service builds. */
  readonly variables?: readonly Variable[];
}

export function manifestOf(site: FolderSite, options: { sourceMaps?: boolean | undefined }): Manifest {
  const scan = scanFolder(site.folder, site.outermost, options);
  return { ...scan, site, bytes: scan.files.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** @throws Error if the service would not accept the files, before they are sent */
export function checkManifest({ files, bytes, site }: Pick<Manifest, 'files' | 'bytes' | 'site'>): void {
  if (files.length === 0)
    throw new Error(`${site.folder} has no files to deploy: --dry-run says what is left out, and why`);
  const paths = new PathSet();
  for (const { path } of files) {
    const problem = paths.add(path);
    if (problem !== undefined)
      throw new Error(`The path "${path}" ${problem}: rename the file, or leave it out with .ptpignore`);
  }
  const { fileBytes, deploymentBytes, filesPerDeployment } = LIMITS;
  const refuse = (problem: string, named: Manifest['files']) => {
    const largest = named.toSorted((a, b) => b.bytes - a.bytes).slice(0, 3);
    const list = largest.map((file) => `${file.path} (${sizeOf(file.bytes)})`).join(', ');
    throw new Error(`${problem}. The largest are ${list}: leave files out with .ptpignore`);
  };
  const large = files.filter((file) => file.bytes > fileBytes);
  if (large.length > 0)
    refuse(
      `A file may have at most ${inMB(fileBytes)}: ${count(large.length, 'file')} ${large.length === 1 ? 'is' : 'are'} larger`,
      large,
    );
  if (bytes > deploymentBytes)
    refuse(`The files have ${sizeOf(bytes)}, but a deployment at most ${inMB(deploymentBytes)}`, files);
  if (files.length > filesPerDeployment)
    refuse(`There are ${count(files.length, 'file')}, but a deployment has at most ${filesPerDeployment}`, files);
}

const inMB = (bytes: number) => `${bytes / 1_048_576} MB`;

/** Returns what the service does with the files of a project. */
export function kindOf({ files }: Manifest): ProjectKind {
  return projectKind(new Map(files.map((file) => [file.path, contentOf(file)])));
}

/** Returns what visitors would see of a project that was not built, as the service itself warns, or undefined. */
export function warningOf({ files }: Manifest): string | undefined {
  const entry = entryOf(files.map(({ path }) => path));
  return buildWarning(
    files.map(({ path, file }) => ({ path, content: path === entry ? readFileSync(file) : '' })),
    entry,
  );
}

/** Returns a folder as its user would name it: `.`, `./dist`, or its absolute path. */
export function nameOf(folder: string, cwd: string): string {
  const path = relative(cwd, folder);
  if (path.startsWith('..')) return folder;
  return path === '' ? '.' : `./${path}`;
}

/** A variable that is built into the page, where everyone can read it. */
export interface Variable {
  readonly name: string;
  readonly value: string;
  /** Name of its file. */
  readonly file: string;
}

/**
 * Returns the `VITE_*` variables of a folder's `.env` files. Others may be secrets, and stay here.
 * @param root the folder that is deployed
 * @throws Error for a link that leads out of `root`: the values of another file, such as credentials, could be published
 */
export function readVariables(folder: string, root: string): Variable[] {
  const paths = ENV_FILES.filter((file) => existsSync(join(folder, file)));
  const read = (file: string) =>
    readFileSync(targetOf(join(folder, file), file, realpathSync(root), 'replace it by its target'));
  const contents = new Map(paths.map((file) => [file, read(file)]));
  const has = (file: string, name: string) => name in parseEnv(String(contents.get(file)));
  return Array.from(variablesOf(contents, {}), ([name, value]) => {
    const file = paths.findLast((each) => has(each, name)) ?? '';
    return { name, value, file };
  });
}
