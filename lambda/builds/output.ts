import { basename, extname } from 'node:path/posix';
import { BUILD_LIMITS } from '../contract/builds.ts';
import { type Files, nameHash } from './files.ts';
import { BuildError } from './problems.ts';

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
/** Files with rules for serving (`lambda/sites/rules`), which are also read beside the page. */
const RULES = ['_redirects', '_headers'];
/** Packages that show a page for each path; a path that is no file then needs the start page. */
const ROUTERS = [
  'react-router',
  'react-router-dom',
  'wouter',
  'vue-router',
  '@tanstack/react-router',
  '@solidjs/router',
];

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
  if (ROUTERS.some((name) => packages.has(name)))
    files.set('_redirects', Buffer.from('/* /index.html 200\n'));
}

/** Returns the bytes of built files. @throws BuildError `payload_too_large` if they exceed a limit */
export function limitOutput(files: Files): number {
  const { outputFiles, outputFileBytes, outputBytes } = BUILD_LIMITS;
  if (files.size > outputFiles) throw tooLarge(`The build has ${files.size} files, more than ${outputFiles}`);
  let bytes = 0;
  for (const [path, content] of files) {
    bytes += content.length;
    if (content.length > outputFileBytes)
      throw tooLarge(`The built file ${path} has ${content.length} bytes, more than ${outputFileBytes}`);
  }
  if (bytes > outputBytes) throw tooLarge(`The build has ${bytes} bytes, more than ${outputBytes}`);
  return bytes;
}

function tooLarge(message: string): BuildError {
  return new BuildError([{ message }], 'payload_too_large');
}
