import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { IgnoreRules } from './ignore-rules.ts';
import { PROJECT_FILE } from './project-file.ts';

/** A folder to deploy. */
export interface Site {
  /** The project's folder, which has `.ptp.json`. */
  readonly project: string;
  /** The folder with the pages: the project's or one in it. */
  readonly folder: string;
  /** The folder whose `.gitignore` is the outermost: that of the repository, or the project's. */
  readonly outermost: string;
  /** How to build the project, if it has a build script but no built pages. */
  readonly build?: string;
}

/** Where build tools put their pages, in the order in which they are looked for. */
export const OUTPUT_FOLDERS = ['dist', 'build', 'out', 'public'] as const;

/**
 * Finds the pages of a project.
 * @param dir the project's folder, or its output folder
 * @param asIs whether to take `dir` itself, whatever it has
 * @throws Error unless `dir` is a folder
 */
export function findSite(dir: string, { asIs = false }: { asIs?: boolean | undefined } = {}): Site {
  const folder = folderAt(dir);
  const parent = dirname(folder);
  if (isOutput(basename(folder)) && isProject(parent))
    return { project: parent, folder, outermost: repositoryOf(parent) ?? parent };
  const outermost = repositoryOf(folder) ?? folder;
  if (asIs) return { project: folder, folder, outermost };
  const build = buildOf(folder);
  const output = OUTPUT_FOLDERS.find(
    (name) => existsSync(join(folder, name, 'index.html')) && !(build && isTemplate(name, folder, outermost)),
  );
  if (output !== undefined) return { project: folder, folder: join(folder, output), outermost };
  return { project: folder, folder, outermost, ...(build ? { build } : {}) };
}

function folderAt(dir: string): string {
  const path = resolve(dir);
  if (!existsSync(path)) throw new Error(`There is no folder "${dir}"`);
  if (statSync(path).isDirectory()) return realpathSync(path);
  throw new Error(`"${dir}" is a file: name the folder that it is in`);
}

const isOutput = (name: string) => (OUTPUT_FOLDERS as readonly string[]).includes(name);

function isProject(folder: string): boolean {
  return ['package.json', '.git', PROJECT_FILE].some((name) => existsSync(join(folder, name)));
}

/** Some tools build to `public`, but others, such as Create React App, keep the template of their page there, and in git. */
function isTemplate(name: string, project: string, outermost: string): boolean {
  if (name !== 'public') return false;
  const folder = join(project, name);
  return !IgnoreRules.around(folder, outermost).ignoredByGit(`${folder}/`);
}

/** Returns the folder of the git repository that a folder is in. */
export function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  return folder === dirname(folder) ? undefined : repositoryOf(dirname(folder));
}

const LOCKS = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
] as const;

/** Returns the command that builds a project, if its package.json has a script for it. */
function buildOf(project: string): string | undefined {
  try {
    const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
    if (typeof scripts?.build !== 'string') return undefined;
  } catch {
    return undefined;
  }
  const manager = LOCKS.find(([lock]) => existsSync(join(project, lock)))?.[1] ?? 'npm';
  const install = existsSync(join(project, 'node_modules')) ? '' : `${manager} install && `;
  return `${install}${manager} run build`;
}
