import { readProjectConfig } from '../../../lambda/builds/config/project-config.ts';
import type { BuildContext } from '../../../lambda/builds/context.ts';
import { bundleOwnCode, type OwnCode } from '../../../lambda/builds/own-code/bundle.ts';
import { NO_PACKAGES } from '../../../lambda/builds/packages/resolver.ts';
import { Resolver } from '../../../lambda/builds/resolver.ts';
import type { BuildProblem } from '../../../lambda/contract/builds.ts';

export interface Bundled {
  /** Of all chunks, the entry's first. */
  readonly code: string;
  readonly chunks: OwnCode['chunks'];
  /** Style sheets by module id. */
  readonly styles: Record<string, string>;
  readonly warnings: readonly BuildProblem[];
}

export interface BundleOptions {
  readonly entry?: string;
  readonly env?: Record<string, string>;
  readonly preview?: boolean;
}

/** A project of files by path. */
export type Project = Readonly<Record<string, string | Uint8Array>>;

/** Bundles the own code of a project. Packages stay imports, and published files keep their name. */
export async function bundle(files: Project, options: BundleOptions = {}): Promise<Bundled> {
  const { entry = 'src/main.ts', env = {}, preview = false } = options;
  const project = new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]));
  const warnings: BuildProblem[] = [];
  const config = readProjectConfig(project, '', env);
  const context: BuildContext = {
    project,
    config,
    resolver: new Resolver(project, config),
    types: NO_PACKAGES,
    missing: new Set(),
    preview,
    sheets: new Map(),
    asset: (path) => path.slice(path.lastIndexOf('/') + 1),
    warn: (warning) => warnings.push(warning),
  };
  const { chunks } = await bundleOwnCode(context, [{ name: 'main', id: `/${entry}` }], new Map());
  const styles = Object.fromEntries([...context.sheets].map(([id, { css }]) => [id, css]));
  return { code: chunks.map(({ code }) => code).join('\n'), chunks, styles, warnings };
}
