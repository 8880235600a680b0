import type { BuildProblem } from '../contract/builds.ts';
import type { ProjectConfig } from './config/project-config.ts';
import type { Files } from './files.ts';
import type { Sheet } from './languages/styles.ts';

/** What the parts of one build share. Modules of the project have their path as id, such as `src/App.tsx` or `src/logo.svg?url`. */
export interface BuildContext {
  /** The files of the project. Those of `public/` have that prefix. */
  readonly project: Files;
  readonly config: ProjectConfig;
  /** `VITE_*` variables of the request. */
  readonly env: Readonly<Record<string, string>>;
  /** The HTML pages, such as `index.html`. */
  readonly pages: readonly string[];
  readonly preview: boolean;
  /**
   * The style sheets of the project's own code by module id. A plugin that loads one adds it, and returns a module with the
   * class names, or an empty one; the engine puts them in the order in which they are executed.
   */
  readonly sheets: Map<string, Sheet>;
  /**
   * Publishes a file of the project (or of a package, `node_modules/…`) as `assets/<name>-<hash>.<extension>`, and returns the name
   * without the folder. Scripts and style sheets are in the same folder, so that `new URL(name, import.meta.url)` finds it.
   */
  readonly asset: (path: string) => string;
  /** As `asset`, for content that is in no file. */
  readonly emit: (name: string, content: Uint8Array) => string;
  readonly warn: (warning: BuildProblem) => void;
}

/** Splits `src/logo.svg?url` in the path and the query, which is empty or begins with `?`. */
export function splitQuery(id: string): { readonly path: string; readonly query: string } {
  const at = id.indexOf('?');
  return at < 0 ? { path: id, query: '' } : { path: id.slice(0, at), query: id.slice(at) };
}
