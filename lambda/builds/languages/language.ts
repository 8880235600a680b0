import type { PluginContext, SourceDescription } from 'rolldown';

/** What a plugin adds to the modules of own code. */
export interface Language {
  /** Returns the id of a module that is in no file of its own; undefined for any other. */
  readonly resolve?: (specifier: string) => string | undefined;
  /** Returns the code of a module; undefined if it is of another language. */
  readonly load: (id: string, bundler: PluginContext) => Loaded | undefined | Promise<Loaded | undefined>;
}

/** The code of a module and what it is written in. */
export type Loaded = Pick<SourceDescription, 'code' | 'map' | 'moduleType' | 'moduleSideEffects'>;
