import { posix } from 'node:path';
import type { BuildContext } from '../context.ts';
import { textOf } from '../files.ts';
import { OwnFiles } from './specifiers.ts';

let builds = 0;

const TYPED_MACRO = /\bdefine(?:Props|Emits|Model|Slots)\s*</;
const IMPORT = /(\bfrom\s{0,9})(["'])([^"'\n./][^"'\n]{0,200})\2/g;

/**
 * The files of a project for the compiler of Vue, which reads the types of properties from them. It keeps what it read
 * by name and for as long as the process lives, so that each build has names of its own: `/<number>/src/types.ts`.
 */
export class VueFiles {
  readonly #context: BuildContext;
  readonly #own: OwnFiles;
  readonly #root: string;

  constructor(context: BuildContext) {
    this.#context = context;
    this.#own = new OwnFiles(context.project, context.config);
    this.#root = `/${builds++}/`;
  }

  /** The compiler's name of a file. */
  nameOf(path: string): string {
    return this.#root + path;
  }

  readonly fileExists = (name: string): boolean => this.#context.project.has(this.#pathOf(name));

  readonly readFile = (name: string): string | undefined => {
    const path = this.#pathOf(name);
    const text = textOf(this.#context.project, path);
    return text && this.#withRelativeImports(text, path);
  };

  #pathOf(name: string): string {
    return name.startsWith(this.#root) ? name.slice(this.#root.length) : '';
  }

  /** The path of the file of the project that a specifier means. */
  resolve(specifier: string, from: string): string | undefined {
    const found = this.#own.find(specifier, from);
    return found.is === 'file' ? found.id : undefined;
  }

  /**
   * A component whose imports have no aliases if it declares properties by types: the compiler follows relative imports
   * only.
   */
  withRelativeTypes(source: string, path: string): string {
    return TYPED_MACRO.test(source) ? this.#withRelativeImports(source, path) : source;
  }

  #withRelativeImports(source: string, path: string): string {
    return source.replace(IMPORT, (text, from: string, quote: string, specifier: string) => {
      const target = this.resolve(specifier, path);
      if (target === undefined) return text;
      const relative = posix.relative(posix.dirname(path), target);
      return `${from}${quote}${relative.startsWith('.') ? relative : `./${relative}`}${quote}`;
    });
  }
}
