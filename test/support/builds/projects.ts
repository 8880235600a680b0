import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { LIBRARIES } from './libraries.ts';
import { libraryProject } from './library-project.ts';

/** Files by path. */
export type ProjectFiles = ReadonlyMap<string, Uint8Array>;

const PROJECTS = join(import.meta.dirname, '../projects');
const TEMPLATES = join(import.meta.dirname, '../../fixtures/packages/node_modules/create-vite');

/** Returns the names of the templates of create-vite, such as `react-ts`. */
export function templateNames(): string[] {
  const folders = readdirSync(TEMPLATES).filter((folder) => folder.startsWith('template-'));
  return folders.map((folder) => folder.slice('template-'.length));
}

/** Returns a project of `libraries.ts`, a template of create-vite, or a project of `test/support/projects`. */
export function sourceProject(name: string): ProjectFiles {
  const library = LIBRARIES[name];
  if (library) return libraryProject(library);
  const template = join(TEMPLATES, `template-${name}`);
  return filesIn(existsSync(template) ? template : join(PROJECTS, name));
}

/** Returns the files of a folder by their paths in it. */
export function filesIn(folder: string): Map<string, Uint8Array> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.toSorted().map((path) => [relative(folder, path), readFileSync(path)]));
}
