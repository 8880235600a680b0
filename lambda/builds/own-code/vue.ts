import { createHash } from 'node:crypto';
import type { CompilerError, SFCDescriptor, SFCScriptCompileOptions, SFCStyleBlock } from '@vue/compiler-sfc';
import type { SourceMapInput } from 'rolldown';
import type { BuildContext, Language, Loaded } from '../context.ts';
import { splitQuery, textOf } from '../files.ts';
import { errorAt, errorAtOffset } from '../problems.ts';
import { addSheet } from '../styles/lightning.ts';
import { TYPED_MACRO, VueFiles } from './vue-files.ts';

const EXPORT_CODE = `export default (component, properties) => {
  const target = component.__vccOpts || component;
  for (const [name, value] of properties) target[name] = value;
  return target;
};`;

/** Components of Vue. Their style blocks become modules such as `src/App.vue?vue&type=style&index=0.css`. */
export function vue(context: BuildContext): Language {
  const styles = new Map<string, string>();
  let files: VueFiles | undefined;
  return {
    resolve: (specifier) => (specifier === EXPORT_MODULE || styles.has(specifier) ? specifier : undefined),
    async load(id) {
      if (id === EXPORT_MODULE) return { code: EXPORT_CODE, moduleType: 'js', moduleSideEffects: false };
      const style = styles.get(id);
      const { path } = splitQuery(id);
      if (style !== undefined) return { code: addSheet(id, path, style, context), moduleType: 'js' };
      const source = id.endsWith('.vue') ? textOf(context.project, id) : undefined;
      if (source === undefined) return undefined;
      const compiler = await loadCompiler();
      if (files === undefined) VueFiles.forget(compiler.invalidateTypeCache);
      files ??= new VueFiles(context);
      return new VueComponent(path, source, compiler, context, files).compile(styles);
    },
  };
}

/** The build for browsers has no file system, and none of the template engines that the other one requires. */
async function loadCompiler(): Promise<Compiler> {
  // @ts-expect-error The types are those of the package.
  return (await import('@vue/compiler-sfc/dist/compiler-sfc.esm-browser.js')) as Compiler;
}

type Compiler = typeof import('@vue/compiler-sfc');

/** The module of the function that adds properties to a component. */
const EXPORT_MODULE = '\0vue-export';

/** Errors of the compiler for types, of which the place is often in a package. */
const UNREAD_TYPES = /^(?:Type import from non-relative|Failed to resolve import source)/;
const OTHER_TYPES = /^(?:Failed to resolve|Unresolvable type)/;

const SCRIPTS = new Set(['js', 'jsx', 'ts', 'tsx']);

/** One component that is being compiled, as `@vitejs/plugin-vue` does for production. */
class VueComponent {
  readonly #path: string;
  readonly #source: string;
  readonly #compiler: Compiler;
  readonly #context: BuildContext;
  readonly #files: VueFiles;
  readonly #id: string;

  constructor(path: string, source: string, compiler: Compiler, context: BuildContext, files: VueFiles) {
    this.#path = path;
    this.#source = source;
    this.#compiler = compiler;
    this.#context = context;
    this.#files = files;
    this.#id = createHash('sha256')
      .update(path + source)
      .digest('hex')
      .slice(0, 8);
  }

  compile(styles: Map<string, string>): Loaded {
    const descriptor = this.#parse();
    const properties: string[] = [];
    const script = this.#script(descriptor);
    const parts = [script.code];
    const isInlined = descriptor.scriptSetup !== null && !descriptor.template?.src;
    if (descriptor.template && !isInlined) {
      parts.push(this.#template(descriptor, script.bindings));
      properties.push("['render', _sfc_render]");
    }
    parts.push(...this.#styles(descriptor, styles, properties));
    if (descriptor.styles.some(({ scoped }) => scoped)) properties.push(`['__scopeId', 'data-v-${this.#id}']`);
    parts.push(
      `import _export_sfc from ${JSON.stringify(EXPORT_MODULE)};`,
      `export default /* #__PURE__ */ _export_sfc(_sfc_main, [${properties.join(', ')}]);`,
    );
    return {
      code: parts.join('\n'),
      moduleType: script.lang,
      ...(script.map && { map: { ...script.map, sources: [this.#path] } as unknown as SourceMapInput }),
    };
  }

  #parse(): SFCDescriptor {
    const options = {
      filename: this.#files.nameOf(this.#path),
      sourceMap: true,
      ignoreEmpty: true,
      templateParseOptions: this.#context.config.vue?.compilerOptions ?? {},
    };
    const source = this.#files.withRelativeTypes(this.#source, this.#path);
    const { descriptor, errors } = this.#compiler.parse(source, options);
    for (const error of errors) this.#fail(error);
    const { script, scriptSetup, template, styles, customBlocks } = descriptor;
    for (const block of [script, scriptSetup]) {
      if (block?.lang && !SCRIPTS.has(block.lang))
        this.#refuse(block.loc.start, `lang="${block.lang}" of a script is not supported: write TypeScript`);
    }
    if (template?.lang && template.lang !== 'html') {
      this.#refuse(template.loc.start, `lang="${template.lang}" of a template is not supported: write HTML`);
    }
    for (const { lang, loc } of styles) {
      if (lang && lang !== 'css' && lang !== 'postcss')
        this.#refuse(loc.start, `lang="${lang}" of a style is not supported: write CSS, which nests`);
    }
    for (const { type, loc } of customBlocks) {
      this.#context.warn({
        message: `The block <${type}> is left out`,
        path: this.#path,
        line: loc.start.line,
      });
    }
    return descriptor;
  }

  #script(descriptor: SFCDescriptor) {
    const { script, scriptSetup } = descriptor;
    const lang = scriptSetup?.lang ?? script?.lang ?? 'js';
    if (script?.src) {
      const src = JSON.stringify(this.#srcPath(script.src, script.loc.start, true));
      return {
        code: `import _sfc_main from ${src};\nexport * from ${src};`,
        lang: 'js',
        bindings: undefined,
        map: undefined,
      };
    }
    if (!script && !scriptSetup) return { code: 'const _sfc_main = {};', lang, bindings: undefined, map: undefined };
    const options: SFCScriptCompileOptions = {
      id: this.#id,
      isProd: true,
      inlineTemplate: scriptSetup !== null && !descriptor.template?.src,
      genDefaultAs: '_sfc_main',
      sourceMap: true,
      fs: this.#files,
      templateOptions: this.#templateOptions(descriptor),
    };
    const { content, bindings, map } = this.#try(() => this.#compiler.compileScript(descriptor, options));
    return { code: this.#files.withPackages(content), lang, bindings, map };
  }

  #templateOptions(descriptor: SFCDescriptor) {
    const { vue } = this.#context.config;
    const scoped = descriptor.styles.some((style) => style.scoped);
    const lang = descriptor.scriptSetup?.lang ?? descriptor.script?.lang ?? '';
    return {
      id: this.#id,
      filename: this.#files.nameOf(this.#path),
      scoped,
      slotted: descriptor.slotted,
      isProd: true,
      ssr: false,
      ssrCssVars: descriptor.cssVars,
      transformAssetUrls: vue?.assetUrls !== false && {
        includeAbsolute: true,
        ...(vue?.assetUrls && { tags: vue.assetUrls }),
      },
      compilerOptions: {
        ...vue?.compilerOptions,
        ...(scoped && { scopeId: `data-v-${this.#id}` }),
        ...(lang.startsWith('ts') && { expressionPlugins: ['typescript' as const] }),
      },
    };
  }

  #template(descriptor: SFCDescriptor, bindings: Bindings): string {
    const { template } = descriptor;
    const src = template?.src && this.#srcPath(template.src, template.loc.start, false);
    const options = this.#templateOptions(descriptor);
    const { code, errors } = this.#compiler.compileTemplate({
      ...options,
      source: src ? (textOf(this.#context.project, src) ?? '') : (template?.content ?? ''),
      ...(!src && template?.ast && { ast: template.ast }),
      compilerOptions: { ...options.compilerOptions, ...(bindings && { bindingMetadata: bindings }) },
    });
    for (const error of errors) this.#fail(error);
    return code.replace(/\nexport (function|const) render/, '\n$1 _sfc_render');
  }

  /** Compiles the style blocks into `styles`, and returns the code that imports them. */
  #styles(descriptor: SFCDescriptor, styles: Map<string, string>, properties: string[]): string[] {
    const modules: string[] = [];
    const imports = descriptor.styles.map((style, index) => {
      const id = `${this.#path}?vue&type=style&index=${index}.${style.module ? 'module.' : ''}css`;
      styles.set(id, this.#css(style));
      if (!style.module) return `import ${JSON.stringify(id)};`;
      modules.push(`${JSON.stringify(style.module === true ? '$style' : style.module)}: _style_${index}`);
      return `import _style_${index} from ${JSON.stringify(id)};`;
    });
    if (modules.length > 0) properties.push(`['__cssModules', { ${modules.join(', ')} }]`);
    return imports;
  }

  #css(style: SFCStyleBlock): string {
    const src = style.src && this.#srcPath(style.src, style.loc.start, false);
    const { code, errors } = this.#compiler.compileStyle({
      source: src ? (textOf(this.#context.project, src) ?? '') : style.content,
      filename: this.#files.nameOf(this.#path),
      id: `data-v-${this.#id}`,
      isProd: true,
      scoped: style.scoped ?? false,
      // PostCSS would read the source map that a comment names.
      postcssOptions: { map: false },
    });
    for (const error of errors) this.#failStyle(error, src ? 0 : style.loc.start.line - 1);
    return code;
  }

  /** The path of the file that a block is in, as a specifier of a module or as a path. */
  #srcPath(src: string, place: Place, asSpecifier: boolean): string {
    const path = this.#files.resolve(src, this.#path);
    if (path === undefined) this.#refuse(place, `There is no file "${src}" in the project`);
    return asSpecifier ? `/${path}` : path;
  }

  #try<Result>(compile: () => Result): Result {
    try {
      return compile();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Throws the error of the compiler with its place, which is in `loc` or only in a drawing of the source. */
  #fail(error: unknown): never {
    const { message = String(error), loc } = Object(error) as Partial<CompilerError>;
    // Some messages end with the compiler's name of the file.
    const [first = ''] = message.replace(` ${this.#files.nameOf(this.#path)}`, '').split('\n');
    const place = loc?.start ?? placeInFrame(message);
    const sentence = first.replace(/^\[.*?\] /, '');
    if (UNREAD_TYPES.test(sentence))
      this.#refuse(place, 'The types of this name are in no file and no package of package.json');
    if (OTHER_TYPES.test(sentence)) {
      const reason = `The compiler of Vue cannot follow this type (${sentence.replace(/\.$/, '')})`;
      const advice = `${reason}: declare the properties in this file`;
      if (message.includes(this.#files.nameOf(this.#path))) this.#refuse(place, advice);
      const at = Math.max(0, this.#source.search(TYPED_MACRO));
      throw errorAtOffset(this.#path, this.#source, at, advice);
    }
    this.#refuse(place, sentence.replace(/ \(\d+:\d+\)$/, ''));
  }

  #failStyle(error: unknown, linesBefore: number): never {
    const { reason, message, line, column } = Object(error) as {
      reason?: string;
      message?: string;
      line?: number;
      column?: number;
    };
    this.#refuse({ line: (line ?? 1) + linesBefore, column: column ?? 1 }, reason ?? message ?? 'This style is no CSS');
  }

  #refuse({ line, column }: Place, message: string): never {
    throw errorAt(this.#path, this.#source, line, column, message);
  }
}

interface Place {
  readonly line: number;
  readonly column: number;
}

type Bindings = ReturnType<Compiler['compileScript']>['bindings'];

/** The place of the first marked line in a drawing such as `3  |  let a = ;` over `   |          ^`. */
function placeInFrame(message: string): Place {
  const lines = message.split('\n', 100);
  const at = lines.findIndex((line) => /^\s{0,9}\|\s*\^/.test(line));
  const number = Number.parseInt(lines[at - 1] ?? '', 10);
  const marker = lines[at] ?? '';
  return { line: number || 1, column: number ? marker.indexOf('^') - marker.indexOf('|') - 2 : 1 };
}
