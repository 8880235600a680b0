import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { IgnoreRules } from './ignore-rules.ts';

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
  if (output !== undefined) return { project, folder: output, outermost };
  return { project, folder, outermost, ...(build ? { build } : {}) };
}

function isProject(folder: string): boolean {
  return ['package.json', '.git', '.ptp.json'].some((name) => existsSync(join(folder, name)));
}

/** Some tools build to `public`, but others, such as Create React App, keep the template of their page there, and in git. */
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
