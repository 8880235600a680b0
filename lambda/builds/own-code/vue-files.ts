import { posix } from 'node:path';
import type { BuildContext } from '../context.ts';
import { splitQuery, textOf } from '../files.ts';
import { packageName } from '../packages/manifest.ts';

let builds = 0;

/** The names of files that the compiler keeps the types of. */
const kept = new Set<string>();

/** The use of a macro of Vue whose argument is a type. */
export const TYPED_MACRO = /\bdefine(?:Props|Emits|Model|Slots)\s*</;
const IMPORT = /(\bfrom\s{0,9}|\bimport\(\s{0,9})(["'])([^"'\n]{1,200})\2/g;
/** A relative import of a file in a package, as `withRelativeTypes` makes it. */
const OF_PACKAGE = /["'](?:\.{1,2}\/){1,99}(node_modules\/[^"'\n]{1,400})["']/g;

/**
 * Returns the packages whose types may decide the properties of a component: those that it, or a script that it imports
 * types from, imports.
 */
export function packagesOfTypes({ project, resolver }: Pick<BuildContext, 'project' | 'resolver'>): string[] {
  const names = new Set<string>();
  const components = [...project.keys()].filter((path) => path.endsWith('.vue'));
  const read = new Set(components.filter((path) => TYPED_MACRO.test(textOf(project, path) ?? '')));
  for (const path of read) {
    for (const [, , , specifier = ''] of (textOf(project, path) ?? '').matchAll(IMPORT)) {
      const found = resolver.find(specifier, path);
      if (found.is === 'package') names.add(packageName(found.specifier));
      if (found.is === 'file' && /\.(?:vue|tsx?)$/.test(found.id)) read.add(found.id);
    }
  }
  return [...names];
}

/**
 * The files of a project and its packages for the compiler of Vue, which reads the types of properties from them. It
 * keeps what it read by name, so that each build has names of its own: `/<number>/src/types.ts`.
 */
export class VueFiles {
  readonly #context: BuildContext;
  readonly #root: string;
  /** The specifiers of packages by the files with their types. */
  readonly #specifiers = new Map<string, string>();

  constructor(context: BuildContext) {
    this.#context = context;
    this.#root = `/${builds++}/`;
  }

  /** The compiler's name of a file. */
  nameOf(path: string): string {
    return this.#root + path;
  }

  readonly fileExists = (name: string): boolean => {
    const path = this.#pathOf(name);
    return this.#context.project.has(path) || this.#context.types.files.has(path);
  };

  readonly readFile = (name: string): string | undefined => {
    kept.add(name);
    const path = this.#pathOf(name);
    const { project, types } = this.#context;
    const text = textOf(project, path) ?? textOf(types.files, path);
    return text && this.#withRelativeImports(text, path);
  };

  /** Has the compiler forget what it read for earlier builds: the types of a package have megabytes. */
  static forget(invalidate: (name: string) => void): void {
    for (const name of kept) invalidate(name);
    kept.clear();
  }

  #pathOf(name: string): string {
    return name.startsWith(this.#root) ? name.slice(this.#root.length) : '';
  }

  /** The path of the file of the project that a specifier means. */
  resolve(specifier: string, from: string): string | undefined {
    const found = this.#context.resolver.find(specifier, from);
    return found.is === 'file' ? found.id : undefined;
  }

  /** The path of the file with the types that a specifier means. */
  #resolveTypes(specifier: string, from: string): string | undefined {
    const { resolver, types } = this.#context;
    const found = from.startsWith('node_modules/')
      ? ({ is: 'package', specifier } as const)
      : resolver.find(specifier, from);
    if (found.is === 'nothing') return this.resolve(`${specifier}.d.ts`, from);
    if (found.is === 'file') return splitQuery(found.id).path;
    const path = found.is === 'package' && types.resolve(found.specifier, from, 'types');
    if (!path) return undefined;
    this.#specifiers.set(path, specifier);
    return path;
  }

  /** A component with relative imports only, which the compiler follows, if it declares properties by types. */
  withRelativeTypes(source: string, path: string): string {
    return TYPED_MACRO.test(source) ? this.#withRelativeImports(source, path) : source;
  }

  /** Returns compiled code with the specifiers of packages that a component with relative imports had. */
  withPackages(code: string): string {
    return code.replace(OF_PACKAGE, (text, path: string) => {
      const specifier = this.#specifiers.get(path);
      return specifier === undefined ? text : JSON.stringify(specifier);
    });
  }

  #withRelativeImports(source: string, path: string): string {
    return source.replace(IMPORT, (text, before: string, quote: string, specifier: string) => {
      const target = this.#resolveTypes(specifier, path);
      if (target === undefined) return text;
      const relative = posix.relative(posix.dirname(path), target);
      return `${before}${quote}${relative.startsWith('.') ? relative : `./${relative}`}${quote}`;
    });
  }
}
