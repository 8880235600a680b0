import type { Files } from '../files.ts';

/** How a specifier is used, which selects the conditions of `exports`. */
export type ImportKind = 'import' | 'require' | 'style';

/** The packages of a build, laid out as in `node_modules`. */
export interface PackageTree {
  /** The files by path, such as `node_modules/react/index.js` or `node_modules/a/node_modules/b/index.js`. */
  readonly files: Files;
  /** The versions of the packages that the own code imports, by name. */
  readonly versions: ReadonlyMap<string, string>;
  /**
   * Returns the path of the file that a specifier stands for; `false` if the package replaces it by nothing in browsers;
   * undefined if there is none.
   * @param specifier such as `react-dom/client`, `#internal`, or `./cjs/react.production.js` inside a package
   * @param from path of the importing file: of the project, or in the tree
   */
  resolve(specifier: string, from: string, kind: ImportKind): string | false | undefined;
}

/** Where packages come from. */
export interface PackageSource {
  /**
   * Returns the given packages with their dependencies.
   * @param names of the packages that the own code imports
   * @param project whose package.json and package-lock.json choose the versions
   * @param chosen versions of an earlier build of the same deployment, which are kept where the project's ranges allow them
   * @throws BuildError that names the package, with the line of package.json or the lock file if it is the cause
   */
  open(
    names: ReadonlySet<string>,
    project: Files,
    chosen: Readonly<Record<string, string>>,
  ): Promise<{ readonly tree: PackageTree; readonly warnings: readonly string[] }>;
}
