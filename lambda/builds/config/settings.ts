import type { BuildProblem } from '../../contract/builds.ts';
import type { Alias } from './aliases.ts';

/** The settings of tsconfig.json that change how scripts are compiled. */
export interface JsxSettings {
  readonly jsx?: string;
  readonly jsxImportSource?: string;
  readonly jsxFactory?: string;
  readonly jsxFragmentFactory?: string;
  /** If false, fields of classes are assigned, which calls setters: decorators of Lit need that. */
  readonly useDefineForClassFields?: boolean;
}

/** Which Tailwind a project uses. */
export interface TailwindSetting {
  readonly version: 3 | 4;
  /** Path of its tailwind.config. */
  readonly config?: string;
}

/** What the configuration files of a project say. They are read, never run. */
export interface ProjectConfig {
  /** In the order in which they are tried. */
  readonly aliases: readonly Alias[];
  /** Expressions in JavaScript by the name that they replace. */
  readonly define: ReadonlyMap<string, string>;
  readonly jsx: JsxSettings;
  readonly tailwind: TailwindSetting | undefined;
  /** What was left out, each with its file and line. */
  readonly warnings: readonly BuildProblem[];
}
