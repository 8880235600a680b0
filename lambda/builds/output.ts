import { basename, extname } from 'node:path/posix';
import { BUILD_LIMITS } from '../contract/limits.ts';
import { type Files, nameHash } from './files.ts';
import type { ImportSize } from './linking/packages-bundle.ts';
import { routerPackages } from './own-code/routers.ts';
import { packageName } from './packages/manifest.ts';
import { BuildError, type PlaceOf } from './problems.ts';

/** The files of `assets/` that are no scripts. */
export class AssetFolder {
  /** Their content by name. */
  readonly files = new Map<string, Uint8Array>();
  readonly #project: Files;
  #packages: Files = new Map();

  constructor(project: Files) {
    this.#project = project;
  }

  /** Makes the files of packages available. */
  open(packages: Files): void {
    this.#packages = packages;
  }

  /** Adds a file of the project or of a package, and returns its name. */
  add(path: string): string {
    const content = path.startsWith('node_modules/') ? this.#packages.get(path) : this.#project.get(path);
    if (!content) throw new BuildError([{ message: `The file ${path} is not in the project` }]);
    return this.emit(basename(path), content);
  }

  /** Adds a file whose name gets a hash of its content, and returns that name. */
  emit(name: string, content: Uint8Array): string {
    const extension = extname(name).replace(/[^\w.]/g, '');
    const stem = basename(name, extname(name))
      .replace(/[^\w-]/g, '_')
      .slice(0, 60);
    const hashed = `${stem}-${nameHash(content)}${extension}`;
    this.files.set(hashed, content);
    return hashed;
  }
}

const PUBLIC = 'public/';
/** Files with rules for serving (`lambda/sites/rules`) and for the site's data, which are also read beside the page. */
const RULES = ['_redirects', '_headers', '_data.json'];
/** Returns the files that are published as they are. */
export function publicFiles(project: Files): [path: string, content: Uint8Array][] {
  return [...project].flatMap(([path, content]): [string, Uint8Array][] => {
    if (path.startsWith(PUBLIC)) return [[path.slice(PUBLIC.length), content]];
    return RULES.includes(path) && !project.has(PUBLIC + path) ? [[path, content]] : [];
  });
}

/** Makes deep links of a client router work, unless the project has rules of its own. */
export function addRedirects(files: Map<string, Uint8Array>, packages: ReadonlySet<string>): void {
  if (files.has('_redirects') || !files.has('index.html')) return;
  if (routerPackages.some((name) => packages.has(name))) files.set('_redirects', Buffer.from('/* /index.html 200\n'));
}

/**
 * Returns the bytes of built files.
 * @param imports what the imports of packages add
 * @param placeOf finds an import in own code
 * @throws BuildError `payload_too_large` if they exceed a limit, at the import that has most of them
 */
export function limitOutput(files: Files, imports: readonly ImportSize[], placeOf: PlaceOf): number {
  const { outputFiles, outputFileBytes, outputBytes } = BUILD_LIMITS;
  const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  const large = [...files].find(([, { length }]) => length > outputFileBytes);
  const refuse = (message: string, unit: 'files' | 'bytes', total: number) => {
    const cause = imports.toSorted((a, b) => b[unit] - a[unit]).find((each) => each[unit] > total / 2);
    const { specifier = '' } = cause ?? {};
    const name = packageName(specifier);
    const advice = specifier === name ? 'by name' : `by name from "${name}"`;
    const problem = cause
      ? placeOf(
          `${message}. "${specifier}" alone adds ${cause[unit]} ${unit}: import what the page uses ${advice}`,
          specifier,
        )
      : { message };
    throw new BuildError([problem], 'payload_too_large');
  };
  if (files.size > outputFiles)
    refuse(`The build has ${files.size} files, more than ${outputFiles}`, 'files', files.size);
  if (large) {
    const [path, { length }] = large;
    refuse(`The built file ${path} has ${length} bytes, more than ${outputFileBytes}`, 'bytes', length);
  }
  if (bytes > outputBytes) refuse(`The build has ${bytes} bytes, more than ${outputBytes}`, 'bytes', bytes);
  return bytes;
}
