import { type InputOptions, type RolldownBuild, rolldown } from 'rolldown';
import type { BuildProblem } from '../contract/builds.ts';
import { TARGETS } from './context.ts';
import { BuildError, type Diagnostic, inOrder, MAX_PLACED } from './problems.ts';

export type BundleOptions = Pick<
  InputOptions,
  'input' | 'plugins' | 'treeshake' | 'preserveEntrySignatures' | 'experimental' | 'transform'
>;

/**
 * Bundles modules that plugins resolve and load, as own code and packages are.
 * @param problems that plugins find meanwhile
 * @param problemsIn returns the problems of an error of the bundler
 * @throws BuildError for both of them
 */
export async function bundleWith<Result>(
  { experimental, transform, ...options }: BundleOptions,
  problems: readonly BuildProblem[],
  problemsIn: (diagnostic: Diagnostic) => readonly BuildProblem[],
  generate: (bundle: RolldownBuild) => Promise<Result>,
): Promise<Result> {
  try {
    const bundle = await rolldown({
      cwd: '/',
      tsconfig: false,
      platform: 'browser',
      onLog: () => {},
      experimental: { attachDebugInfo: 'none', ...experimental },
      transform: {
        target: [...TARGETS],
        ...transform,
        define: {
          'process.env.NODE_ENV': '"production"',
          'process.env': '{}',
          'import.meta.hot': 'undefined',
          ...transform?.define,
        },
      },
      ...options,
    });
    try {
      const result = await generate(bundle);
      if (problems.length > 0) throw new BuildError(inOrder(problems));
      return result;
    } finally {
      await bundle.close();
    }
  } catch (error) {
    if (error instanceof BuildError) throw error;
    const found = diagnosticsOf(error).slice(0, MAX_PLACED).flatMap(problemsIn);
    throw new BuildError(inOrder([...problems, ...found]));
  }
}

/** Returns the diagnostics of a failed bundle. @throws the error itself if it is not due to the project */
function diagnosticsOf(error: unknown): readonly Diagnostic[] {
  const { errors } = Object(error) as { errors?: readonly Diagnostic[] };
  if (errors) return errors;
  if (/panicked/.test(String(error))) return [{ message: 'The bundler failed' }];
  throw error;
}
