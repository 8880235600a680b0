import type { BuildProblem } from '../../contract/builds.ts';
import type { ProjectConfig } from '../config/project-config.ts';
import type { Files } from '../files.ts';
import type { PackageTree } from '../packages/package-tree.ts';

/** A style sheet that the project's own code uses. */
export interface Sheet {
  /** Path of the file that it is in; its references are relative to it. */
  readonly path: string;
  readonly css: string;
}

/** What style sheets are built with. */
export interface StyleContext {
  readonly project: Files;
  readonly packages: PackageTree;
  readonly config: ProjectConfig;
  /** Publishes a file of the project or of a package, and returns its URL relative to the built sheet. */
  readonly asset: (path: string) => string;
  readonly minify: boolean;
  readonly warn: (warning: BuildProblem) => void;
}

/**
 * Returns one style sheet of the given ones, in their order: with their `@import`s, Tailwind, prefixes, and URLs of published files.
 * @throws BuildError for a syntax error or a missing file, with its place
 */
export async function bundleStyles(_sheets: readonly Sheet[], _context: StyleContext): Promise<string> {
  return '';
}

/** Returns the names of the packages that style sheets import, such as `@fontsource/inter`. Those that are shipped are left out. */
export function packagesOfStyles(
  _sheets: readonly Sheet[],
  _project: Files,
  _config: ProjectConfig,
): Set<string> {
  return new Set();
}

/** A CSS module. */
export interface CssModule {
  /** With its class names made unique; for `Sheet.css`. */
  readonly css: string;
  /** An ES module that exports the class names, as the default export and by name. It imports the modules that it composes. */
  readonly code: string;
}

/**
 * Makes the class names of a CSS module unique.
 * @throws BuildError for a syntax error
 */
export function cssModule(_path: string, css: string): CssModule {
  return { css, code: 'export default {};' };
}
