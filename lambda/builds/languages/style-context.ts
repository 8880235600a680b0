import type { BuildProblem } from '../../contract/builds.ts';
import type { ProjectConfig } from '../config/settings.ts';
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
