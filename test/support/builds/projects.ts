import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Files by path. */
export type ProjectFiles = ReadonlyMap<string, Uint8Array>;

const PROJECTS = join(import.meta.dirname, '../projects');
const TEMPLATES = join(import.meta.dirname, '../../fixtures/packages/node_modules/create-vite');

/** Templates of create-vite. */
export const TEMPLATE_NAMES = [
  'react-ts',
  'vue-ts',
  'svelte-ts',
  'preact-ts',
  'solid-ts',
  'vanilla-ts',
  'lit-ts',
] as const;

/** Returns a template of create-vite, or a project of `test/support/projects`. */
export function sourceProject(name: string): ProjectFiles {
  const isTemplate = TEMPLATE_NAMES.some((template) => template === name);
  return filesIn(isTemplate ? join(TEMPLATES, `template-${name}`) : join(PROJECTS, name));
}

/** Returns the files of a folder by their paths in it. */
export function filesIn(folder: string): Map<string, Uint8Array> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.toSorted().map((path) => [relative(folder, path), readFileSync(path)]));
}
