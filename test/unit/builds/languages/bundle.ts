import { type OutputChunk, rolldown } from 'rolldown';
import { readProjectConfig } from '../../../../lambda/builds/config/project-config.ts';
import type { BuildContext } from '../../../../lambda/builds/context.ts';
import { languagePlugins } from '../../../../lambda/builds/languages/plugins.ts';
import { OwnFiles } from '../../../../lambda/builds/own-files.ts';
import { BuildError } from '../../../../lambda/builds/problem.ts';
import type { BuildProblem } from '../../../../lambda/contract/builds.ts';

export interface Bundled {
  /** All chunks, with the entry first. */
  readonly code: string;
  readonly chunks: readonly OutputChunk[];
  /** Style sheets by module id, in no order. */
  readonly styles: Record<string, string>;
  readonly warnings: readonly BuildProblem[];
}

export interface BundleOptions {
  readonly entry?: string;
  readonly env?: Record<string, string>;
  readonly preview?: boolean;
  readonly config?: Partial<BuildContext['config']>;
}

export const filesOf = (files: Record<string, string | Uint8Array>): Map<string, Uint8Array> =>
  new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]));

/** Bundles own code with the plugins alone; packages stay imports. Published files keep their name. */
export async function bundle(
  files: Record<string, string | Uint8Array>,
  { entry = 'src/main.ts', env = {}, preview = false, config = {} }: BundleOptions = {},
): Promise<Bundled> {
  const project = filesOf(files);
  const warnings: BuildProblem[] = [];
  const context: BuildContext = {
    project,
    config: { ...readProjectConfig(project), ...config },
    env,
    pages: [],
    preview,
    sheets: new Map(),
    asset: (path) => path.slice(path.lastIndexOf('/') + 1),
    emit: (name) => name,
    warn: (warning) => warnings.push(warning),
  };
  try {
    const { output } = await (
      await rolldown({
        input: [entry],
        cwd: '/',
        tsconfig: false,
        platform: 'browser',
        preserveEntrySignatures: false,
        onLog: () => {},
        experimental: { attachDebugInfo: 'none' },
        plugins: [...languagePlugins(context), ownFiles(context)],
      })
    ).generate({
      dir: '/',
      entryFileNames: 'assets/[name].js',
      chunkFileNames: 'assets/[name].js',
      sourcemap: preview,
    });
    const chunks = output.filter((file) => file.type === 'chunk');
    const styles = Object.fromEntries([...context.sheets].map(([id, { css }]) => [id, css]));
    return { code: chunks.map(({ code }) => code).join('\n'), chunks, styles, warnings };
  } catch (error) {
    const { errors = [error] } = error as { errors?: unknown[] };
    throw errors.find((each) => each instanceof BuildError) ?? error;
  }
}

const ownFiles = ({ project, config }: BuildContext) => {
  const files = new OwnFiles(project, config);
  return {
    name: 'own-files',
    resolveId(specifier: string, importer: string | undefined) {
      const found = files.find(
        importer === undefined ? `/${specifier}` : specifier,
        importer?.split('?')[0] ?? '',
      );
      if (found.is === 'file') return found.id;
      return { id: specifier, external: true };
    },
    load(id: string) {
      const content = project.get(id);
      const extension = /\.(\w+)$/.exec(id)?.[1];
      const moduleType = (extension === 'js' ? 'jsx' : extension) as 'ts';
      return content && { code: Buffer.from(content).toString(), moduleType };
    },
  };
};
