import { readProjectConfig } from '../../../lambda/builds/config/project-config.ts';
import { type PackageTree, resolverOf } from '../../../lambda/builds/packages/resolver.ts';
import { BuildError } from '../../../lambda/builds/problems.ts';
import { Resolver } from '../../../lambda/builds/resolver.ts';
import { bundleStyles } from '../../../lambda/builds/styles/styles.ts';
import type { BuildProblem } from '../../../lambda/contract/builds.ts';

export const filesOf = (files: Readonly<Record<string, string>>) =>
  new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]));

/** A tree of files that resolves specifiers to paths in `node_modules`. */
export function treeOf(files: Readonly<Record<string, string>>): PackageTree {
  const tree = filesOf(files);
  return { files: tree, versions: new Map(), resolve: resolverOf(tree) };
}

export interface BuiltStyles {
  readonly css: string;
  readonly problems: readonly BuildProblem[];
  readonly code?: string;
  readonly warnings: readonly string[];
}

/** Builds style sheets of a project; problems are part of the result. */
export async function buildStyles(
  files: Readonly<Record<string, string>>,
  { paths = ['src/index.css'], packages = treeOf({}), minify = true } = {},
): Promise<BuiltStyles> {
  const project = filesOf(files);
  const config = readProjectConfig(project);
  const warnings: BuildProblem[] = [...config.warnings];
  const sheets = paths.map((path) => ({ path, css: files[path] ?? '' }));
  const asset = (path: string) => `${path.split('/').pop()?.replace('.', '-hash.')}`;
  const texts = () => warnings.map(({ path, line, message }) => `${path}:${line} ${message}`);
  try {
    const context = {
      project,
      packages,
      config,
      resolver: new Resolver(project, config),
      assets: '' as const,
      asset,
      minify,
      warn: (warning: BuildProblem) => void warnings.push(warning),
    };
    return { css: await bundleStyles(sheets, context), problems: [], warnings: texts() };
  } catch (error) {
    if (!(error instanceof BuildError)) {
      throw error;
    }
    return { css: '', problems: error.problems, code: error.code, warnings: texts() };
  }
}
