import { matchesGlob } from 'node:path/posix';
import type { Files } from './files.ts';

/** What the package.json nearest to a file says about it. */
interface Manifest {
  readonly folder: string;
  readonly isModule: boolean;
  /** `sideEffects` (https://webpack.js.org/guides/tree-shaking/): false, or the globs of the files that have some. */
  readonly sideEffects: boolean | readonly string[];
}

const NONE: Manifest = { folder: '', isModule: false, sideEffects: true };

/** Reads what each package.json says about the files beside and below it. */
export class Manifests {
  readonly #files: Files;
  readonly #byFolder = new Map<string, Manifest>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** Reports if evaluating a file does more than defining its exports. */
  hasSideEffects(path: string): boolean {
    const { folder, sideEffects } = this.#of(path);
    if (typeof sideEffects === 'boolean') return sideEffects;
    const inside = path.slice(folder.length + 1);
    return sideEffects.some((glob) => matches(inside, glob));
  }

  /** Reports if `.js` files are ES modules, which get `module.exports` of a CommonJS module as its default export. */
  isModule(path: string): boolean {
    return this.#of(path).isModule;
  }

  #of(path: string): Manifest {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    let manifest = this.#byFolder.get(folder);
    if (!manifest) {
      manifest = this.#read(folder);
      this.#byFolder.set(folder, manifest);
    }
    return manifest;
  }

  #read(folder: string): Manifest {
    if (folder === '' || folder.endsWith('node_modules')) return NONE;
    const bytes = this.#files.get(`${folder}/package.json`);
    if (!bytes) return this.#of(folder);
    const { type, sideEffects } = parsed(bytes);
    const globs = Array.isArray(sideEffects)
      ? sideEffects.filter((glob): glob is string => typeof glob === 'string').slice(0, 1_000)
      : undefined;
    return { folder, isModule: type === 'module', sideEffects: globs ?? sideEffects !== false };
  }
}

function matches(path: string, glob: string): boolean {
  const pattern = glob.replace(/^\.?\//, '');
  return matchesGlob(path, pattern.includes('/') ? pattern : `**/${pattern}`);
}

function parsed(bytes: Uint8Array): { readonly type?: unknown; readonly sideEffects?: unknown } {
  try {
    return Object(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return {};
  }
}
