import type { Plugin, SourceMapInput } from 'rolldown';
import { type BuildContext, splitQuery } from '../context.ts';
import { textOf } from '../files.ts';
import { errorAt } from './errors.ts';

/** Compiles JSX of Solid, in projects that use it. */
export function solidPlugin(context: BuildContext): Plugin {
  const isSolid = usesSolid(context);
  return {
    name: 'solid',
    load: {
      filter: { id: /^[^\0?]*\.[jt]sx$/ },
      async handler(id) {
        const { path } = splitQuery(id);
        const source = isSolid ? textOf(context.project, path) : undefined;
        return source === undefined ? undefined : compileSolid(path, source, context);
      },
    },
  };
}

/** Whether JSX is Solid's: by tsconfig.json, or because package.json has Solid and not React. */
function usesSolid({ project, config }: BuildContext): boolean {
  if (config.jsx.jsxImportSource !== undefined) return config.jsx.jsxImportSource === 'solid-js';
  const declared = textOf(project, 'package.json');
  if (declared !== undefined) return declared.includes('"solid-js"') && !/"(?:react|preact)"/.test(declared);
  const scripts = [...project.keys()].filter((path) => /\.[jt]sx$/.test(path));
  return scripts.some((path) => /\bfrom\s{0,9}["']solid-js["'/]/.test(textOf(project, path) ?? ''));
}

async function compileSolid(path: string, source: string, context: BuildContext) {
  const babel = await import('@babel/core');
  // @ts-expect-error The package has no types.
  const { default: solid } = await import('babel-preset-solid');
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
      presets: [[solid, {}]],
      parserOpts: { plugins: isTypeScript ? ['jsx', 'typescript'] : ['jsx'] },
      sourceMaps: context.preview,
      ast: false,
      compact: false,
    });
    return {
      code: result?.code ?? '',
      moduleType: isTypeScript ? 'ts' : 'js',
      ...(result?.map && { map: result.map as SourceMapInput }),
    } as const;
  } catch (error) {
    const { message, loc } = error as { message: string; loc?: { line: number; column: number } };
    const [first = ''] = message.split('\n');
    const sentence = first.replace(/^.*?: /, '').replace(/ \(\d+:\d+\)$/, '');
    throw errorAt(path, source, loc?.line ?? 1, (loc?.column ?? 0) + 1, sentence);
  }
}
