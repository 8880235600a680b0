import type { Plugin, SourceMapInput } from 'rolldown';
import { transformSync } from 'rolldown/utils';
import type { CompileError, CompileResult } from 'svelte/compiler';
import { type BuildContext, splitQuery } from '../context.ts';
import { textOf } from '../files.ts';
import { addSheet } from './css.ts';
import { errorAt, errorAtOffset } from './errors.ts';

const MODULE = /\.svelte\.[jt]s$/;
const STYLE = /^([^\0?]+\.svelte)\?svelte&type=style\.css$/;
const OTHER_STYLE = /<style\b[^>]{0,200}\blang=["']?(scss|sass|less|styl|stylus)\b/;

/** Compiles components and modules of Svelte 5. The styles of a component become the module `src/App.svelte?svelte&type=style.css`. */
export function sveltePlugin(context: BuildContext): Plugin {
  const styles = new Map<string, string>();
  return {
    name: 'svelte',
    buildStart() {
      const config =
        textOf(context.project, 'svelte.config.js') ?? textOf(context.project, 'svelte.config.ts') ?? '';
      if (
        /\bpreprocess\b/.test(config.replaceAll('vitePreprocess', '').replace(/preprocess:\s*\(\s*\)/, ''))
      ) {
        context.warn({
          message: 'Preprocessors of Svelte are left out: configuration is read, never run',
          path: 'svelte.config.js',
        });
      }
    },
    resolveId: { filter: { id: STYLE }, handler: (id) => id },
    load: {
      filter: { id: [/\.svelte$/, MODULE, STYLE] },
      async handler(id) {
        const { path, query } = splitQuery(id);
        if (query !== '')
          return { code: addSheet(id, path, styles.get(id) ?? '', context), moduleType: 'js' };
        const source = textOf(context.project, path);
        if (source === undefined) return;
        const { js, css } = await compileSvelte(path, source);
        const style = css?.code.trim() ? `${path}?svelte&type=style.css` : undefined;
        if (css && style) styles.set(style, css.code);
        return {
          code: style ? `${js.code}\nimport ${JSON.stringify(style)};` : js.code,
          moduleType: 'js',
          ...(context.preview && { map: { ...js.map, sources: [path] } as unknown as SourceMapInput }),
        };
      },
    },
  };
}

async function compileSvelte(path: string, source: string): Promise<CompileResult> {
  const other = OTHER_STYLE.exec(source);
  if (other) {
    throw errorAtOffset(
      path,
      source,
      other.index,
      `lang="${other[1]}" of a style is not supported: write CSS, which nests`,
    );
  }
  const { compile, compileModule } = await import('svelte/compiler');
  const options = { filename: path, generate: 'client', dev: false } as const;
  try {
    if (!MODULE.test(path)) return compile(source, { ...options, css: 'external' });
    // Modules may have all of TypeScript, of which the compiler knows the types only.
    const plain = path.endsWith('.ts')
      ? transformSync(path, source, { lang: 'ts', target: 'esnext' })
      : undefined;
    return compileModule(plain?.errors.length === 0 ? plain.code : source, options);
  } catch (error) {
    const { message, start } = error as CompileError;
    const [first = ''] = message.split('\n');
    throw errorAt(path, source, start?.line ?? 1, (start?.column ?? 0) + 1, first);
  }
}
