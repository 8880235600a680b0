import type { PluginContext, SourceDescription } from 'rolldown';
import type { BuildProblem, BuildReport } from '../contract/builds.ts';
import type { ProjectConfig } from './config/settings.ts';
import type { Files } from './files.ts';
import type { PackageTree } from './packages/resolver.ts';
import type { Resolver } from './resolver.ts';

export interface BuildOutput {
  /** The site. */
  readonly files: Files;
  readonly report: BuildReport;
}

/**
 * The packages' bundle of the last build of a project: one slot, whose content says for which names and versions it is.
 */
export interface VendorSlot {
  /** Returns undefined without a stored bundle, or if it cannot be read. */
  read(): Promise<Uint8Array | undefined>;
  write(bundle: Uint8Array): Promise<void>;
}

/** Browsers that builds are made for: Vite's `baseline-widely-available`. */
export const TARGETS = ['chrome111', 'edge111', 'firefox114', 'safari16.4'] as const;

/**
 * The state that the steps of one build share. Modules of the project have their path as id, such as `src/App.tsx` or
 * `src/logo.svg?url`.
 */
export interface BuildContext {
  /** The files of the project. Those of `public/` have that prefix. */
  readonly project: Files;
  readonly config: ProjectConfig;
  readonly resolver: Resolver;
  /** The packages with their types, for components of Vue that take properties from them; without any otherwise. */
  readonly types: PackageTree;
  /** The missing variables that warnings have named. */
  readonly missing: Set<string>;
  readonly preview: boolean;
  /**
   * The style sheets of the project's own code by module id. A plugin that loads one adds it, and returns a module with
   * the class names, or an empty one; the engine puts them in the order in which they are executed.
   */
  readonly sheets: Map<string, Sheet>;
  /**
   * Publishes a file of the project (or of a package, `node_modules/…`) as `assets/<name>-<hash>.<extension>`, and
   * returns the name without the folder. Scripts and style sheets are in the same folder, so that `new URL(name,
   * import.meta.url)` finds it.
   */
  readonly asset: (path: string) => string;
  readonly warn: (warning: BuildProblem) => void;
}

/** A language of own code that the bundler does not know. */
export interface Language {
  /** Returns the id of a module that is in no file of its own; undefined for any other. */
  readonly resolve?: (specifier: string) => string | undefined;
  /** Returns the code of a module; undefined if it is of another language. */
  readonly load: (id: string, bundler: PluginContext) => Loaded | undefined | Promise<Loaded | undefined>;
}

/** The code of a module and what it is written in. */
export type Loaded = Pick<SourceDescription, 'code' | 'map' | 'moduleType' | 'moduleSideEffects'>;

/** A style sheet that the project's own code uses. */
export interface Sheet {
  /** Path of the file that it is in; its references are relative to it. */
  readonly path: string;
  readonly css: string;
}

/** The files and settings that style sheets are built with. */
export interface StyleContext extends Pick<BuildContext, 'project' | 'config' | 'resolver' | 'asset' | 'warn'> {
  readonly packages: PackageTree;
  readonly minify: boolean;
  /** The folder from which URLs of assets are written: empty for a file in it, or its path for a style in a page or script. */
  readonly assets: string;
}
