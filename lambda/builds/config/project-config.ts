import type { BuildProblem } from '../../contract/builds.ts';
import type { Files } from '../files.ts';
import type { ProjectConfig } from './settings.ts';
import { tailwindOf } from './tailwind-version.ts';
import { readTsconfig } from './tsconfig.ts';
import { readViteConfig } from './vite-config.ts';

export { type Alias, aliasTargets } from './aliases.ts';
export type { JsxSettings, ProjectConfig, TailwindSetting } from './settings.ts';

/** Returns what the configuration files of a project say. */
export function readProjectConfig(files: Files): ProjectConfig {
  const warnings: BuildProblem[] = [];
  const vite = readViteConfig(files, warnings);
  const typescript = readTsconfig(files, warnings);
  return {
    aliases: [...vite.aliases, ...typescript.aliases],
    define: vite.define,
    jsx: typescript.jsx,
    tailwind: tailwindOf(files),
    warnings,
  };
}
