import type { SourceMapInput } from 'rolldown';
import type { BuildContext, Language, Loaded } from '../context.ts';
import { textOf } from '../files.ts';
import { errorAt } from '../problems.ts';

/** JSX of Solid, in projects that use it. */
export function solid(context: BuildContext): Language {
  const isSolid = usesSolid(context);
  return {
    load(id) {
      const source = isSolid && /\.[jt]sx$/.test(id) ? textOf(context.project, id) : undefined;
      return source === undefined ? undefined : compileSolid(id, source);
    },
  };
}

/** Reports if JSX is Solid's: by tsconfig.json, or because package.json has Solid and not React. */
function usesSolid({ project, config }: BuildContext): boolean {
  const { jsx, dependencies } = config;
  if (jsx.jsxImportSource !== undefined) return jsx.jsxImportSource === 'solid-js';
  const others = ['react', 'preact'].some((name) => dependencies.has(name));
  if (project.has('package.json')) return dependencies.has('solid-js') && !others;
  const scripts = [...project.keys()].filter((path) => /\.[jt]sx$/.test(path));
  return scripts.some((path) => /\bfrom\s{0,9}["']solid-js["'/]/.test(textOf(project, path) ?? ''));
}

async function compileSolid(path: string, source: string): Promise<Loaded> {
  const { default: babel } = await import('@babel/core');
  // @ts-expect-error The package has no types.
  const { default: preset } = await import('babel-preset-solid');
  const isTypeScript = path.endsWith('.tsx');
  try {
    const result = babel.transformSync(source, {
      filename: path,
      sourceFileName: path,
      // Nothing of the disk: no configuration, and no source map that a comment names.
      configFile: false,
      babelrc: false,
      browserslistConfigFile: false,
      // @ts-expect-error The types lack it.
      inputSourceMap: false,
      cwd: '/',
      root: '/',
      presets: [[preset, {}]],
      parserOpts: { plugins: isTypeScript ? ['jsx', 'typescript'] : ['jsx'] },
      sourceMaps: true,
      ast: false,
      compact: false,
    });
    return {
      code: result?.code ?? '',
      moduleType: isTypeScript ? 'ts' : 'js',
      ...(result?.map && { map: result.map as SourceMapInput }),
    };
  } catch (error) {
    const { message, loc } = error as { message: string; loc?: { line: number; column: number } };
    const [first = ''] = message.split('\n');
    const sentence = first.replace(/^.*?: /, '').replace(/ \(\d+:\d+\)$/, '');
    throw errorAt(path, source, loc?.line ?? 1, (loc?.column ?? 0) + 1, sentence);
  }
}
