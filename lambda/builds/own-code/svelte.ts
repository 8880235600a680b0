import type { SourceMapInput } from 'rolldown';
import { transformSync } from 'rolldown/utils';
import type { CompileError, CompileResult } from 'svelte/compiler';
import { readableConfig } from '../config/config-file.ts';
import { ObjectValue, type Position, Unknown, type Value } from '../config/values.ts';
import type { BuildContext, Language } from '../context.ts';
import { splitQuery, textOf } from '../files.ts';
import { BuildError, errorAt, errorAtOffset, problemAtOffset } from '../problems.ts';
import { addSheet } from '../styles/lightning.ts';

const MODULE = /\.svelte\.[jt]s$/;
const OTHER_STYLE = /<style\b[^>]{0,200}\blang=["']?(scss|sass|less|styl|stylus)\b/;

/**
 * Components and modules of Svelte 5. The styles of a component become the module
 * `src/App.svelte?svelte&type=style.css`.
 */
export function svelte(context: BuildContext): Language {
  const styles = new Map<string, string>();
  let isConfigured = false;
  return {
    resolve: (specifier) => (styles.has(specifier) ? specifier : undefined),
    async load(id) {
      const style = styles.get(id);
      const { path } = splitQuery(id);
      if (style !== undefined) return { code: addSheet(id, path, style, context), moduleType: 'js' };
      const source = id.endsWith('.svelte') || MODULE.test(id) ? textOf(context.project, id) : undefined;
      if (source === undefined) return undefined;
      if (!isConfigured) warnOfConfiguration(context);
      isConfigured = true;
      const { js, css } = await compileSvelte(path, source, isSvelte4(context));
      const styleId = css?.code.trim() ? `${path}?svelte&type=style.css` : undefined;
      if (css && styleId) styles.set(styleId, css.code);
      return {
        code: styleId ? `${js.code}\nimport ${JSON.stringify(styleId)};` : js.code,
        moduleType: 'js',
        map: { ...js.map, sources: [path] } as unknown as SourceMapInput,
      };
    },
  };
}

/** Settings of the compiler that change nothing in a built page, or that it finds by itself. */
const KNOWN_OPTIONS = new Set(['runes', 'dev', 'hmr', 'css', 'compatibility']);

/** Warns of what a configuration asks for. The compiler knows TypeScript, so that `vitePreprocess` is not needed. */
function warnOfConfiguration({ project, warn }: BuildContext): void {
  const path = ['svelte.config.js', 'svelte.config.ts'].find((name) => project.has(name));
  const config = path === undefined ? undefined : readableConfig(project, path);
  if (path === undefined || !(config instanceof ObjectValue)) return;
  const ignore = (what: string, at: Position = { path, offset: 0 }) =>
    warn(problemAtOffset(project, `${what} is ignored: configuration is read, not run`, at));
  for (const one of [config.entries.get('preprocess') ?? []].flat() as readonly Value[]) {
    const name = one instanceof Unknown ? one.origin.replace(/^.*\./, '') : '';
    const at = one instanceof Unknown ? one.at : config.places.get('preprocess');
    if (name !== 'vitePreprocess') ignore(`The preprocessor ${name || 'here'} of Svelte`, at);
  }
  const compiler = config.entries.get('compilerOptions');
  for (const [name, at] of compiler instanceof ObjectValue ? compiler.places : [])
    if (!KNOWN_OPTIONS.has(name)) ignore(`"${name}" of the compiler of Svelte`, at);
}

/** Reports if package.json asks for Svelte 3 or 4, whose components are made with `new`. */
const isSvelte4 = ({ project }: BuildContext): boolean =>
  /"svelte"\s{0,9}:\s{0,9}"[\^~>=v ]{0,9}[34]\b/.test(textOf(project, 'package.json') ?? '');

async function compileSvelte(path: string, source: string, isOld: boolean): Promise<CompileResult> {
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
    if (!MODULE.test(path))
      return compile(source, { ...options, css: 'external', compatibility: { componentApi: isOld ? 4 : 5 } });
    // Modules may have all of TypeScript, of which the compiler knows the types only.
    const plain = path.endsWith('.ts') ? transformSync(path, source, { lang: 'ts', target: 'esnext' }) : undefined;
    return compileModule(plain?.errors.length === 0 ? plain.code : source, options);
  } catch (error) {
    const { message, start } = error as CompileError;
    const [first = ''] = message.split('\n');
    throw errorAt(path, source, start?.line ?? 1, (start?.column ?? 0) + 1, first);
  }
}

/**
 * Components in packages, and Svelte's modules with runes, such as `node_modules/a/dist/Icon.svelte` and
 * `state.svelte.js`.
 */
const COMPONENT = /\.(?:svelte|vue|svelte\.[jt]s)$/;

export function isPackageComponent(path: string): boolean {
  return COMPONENT.test(path);
}

/**
 * Compiles a component of a package. Its styles are part of the script.
 * @throws BuildError for an invalid one, and for those of Vue, which packages compile before they are published
 */
export async function compilePackageComponent(path: string, source: string): Promise<string> {
  if (path.endsWith('.vue')) {
    throw new BuildError([{ message: `${path} is a component of Vue: only compiled ones can be used in packages` }]);
  }
  const { compile, compileModule } = await import('svelte/compiler');
  const options = { filename: path, generate: 'client', dev: false } as const;
  try {
    if (!path.endsWith('.svelte')) return compileModule(source, options).js.code;
    return compile(source, { ...options, css: 'injected' }).js.code;
  } catch (error) {
    const [first = ''] = (error as Error).message.split('\n');
    throw new BuildError([{ message: `${path} cannot be compiled: ${first}` }]);
  }
}
