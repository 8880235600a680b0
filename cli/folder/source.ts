import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '../../lambda/contract/limits.ts';
import { FileIndex, importedFiles } from './imported.ts';
import { contentOf, type FolderFile } from './scan.ts';
import { kindOf, type Manifest, readVariables, type Variable } from './site.ts';

export const UNUSED = 'nothing imports it';

const LOCK = 'package-lock.json';
/** A build reads none of these. They are often too large to be sent. */
const FOREIGN_LOCK = /^(?:pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/;
/** Configurations of tools and declarations of types, which are not part of the page. */
const TOOLS = /^[^/]*\.config\.[cm]?[jt]s(?:$|\.)|\.d\.[cm]?ts$/;

/**
 * Returns what is sent of a project that the service builds: the files, the part of the lock file that the build needs,
 * and the variables. Only if the files would exceed the limits of a deploy, those that nothing imports are left out,
 * such as tests.
 */
export function sourceManifest(manifest: Manifest): Manifest {
  const imported = importedFiles(manifest);
  const isSent = new Set(imported.map(({ path }) => path));
  const leftOut = manifest.leftOut.filter(({ path }) => !isSent.has(path));
  const all = [...manifest.files, ...imported].sort((a, b) => (a.path < b.path ? -1 : 1));
  let files = all.filter(({ path }) => !FOREIGN_LOCK.test(path));
  for (const { path } of manifest.files)
    if (FOREIGN_LOCK.test(path)) leftOut.push({ path, reason: 'lock file of another package manager' });
  const references = memoized(files);
  if (files.length > LIMITS.filesPerDeployment || sizeOf(files) > LIMITS.deploymentBytes) {
    const kind = kindOf(manifest);
    const used = reachable(
      files.map(({ path }) => path),
      (path) => (TOOLS.test(path) ? withoutGlobs(references(path)) : references(path)),
      kind.kind === 'source' ? kind.root : '',
      packagesOf(files),
    );
    for (const { path } of files) if (!used.has(path)) leftOut.push({ path, reason: UNUSED });
    files = files.filter(({ path }) => used.has(path));
  }
  files = files.map((file) => (file.path === LOCK ? withNeededLock(file, files, references) : file));
  return {
    ...manifest,
    files,
    leftOut,
    bytes: sizeOf(files),
    imported: [...isSent],
    variables: variablesOf(manifest),
  };
}

/** Returns the variables of the project, and of the folder that is the root of its build, which takes precedence. */
function variablesOf(manifest: Manifest): Variable[] {
  const { folder } = manifest.site;
  const kind = kindOf(manifest);
  const own = kind.kind === 'source' && kind.root !== '' ? readVariables(join(folder, kind.root), folder) : [];
  const others = readVariables(folder, folder).filter(({ name }) => !own.some((variable) => variable.name === name));
  return [...others, ...own];
}

/** Returns the paths of the package.json files in folders, by the name of their package. */
function packagesOf(files: readonly FolderFile[]): Map<string, string> {
  const manifests = files.filter(({ path }) => path.endsWith('/package.json'));
  return new Map(manifests.map((file) => [packageNameIn(contentOf(file).toString()), file.path]));
}

function packageNameIn(json: string): string {
  try {
    return String(JSON.parse(json).name);
  } catch {
    return '';
  }
}

/** The files in which Tailwind looks for classes are not imported by its configuration. */
const withoutGlobs = (references: ReadonlySet<string>) =>
  new Set([...references].filter((reference) => !reference.includes('*')));

const sizeOf = (files: readonly FolderFile[]) => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Returns a function that reads what a file refers to, once. */
function memoized(files: readonly FolderFile[]): (path: string) => ReadonlySet<string> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const known = new Map<string, ReadonlySet<string>>();
  return (path) => {
    const file = byPath.get(path);
    const found = known.get(path) ?? readReferences(file);
    known.set(path, found);
    return found;
  };
}

function readReferences(file: FolderFile | undefined): ReadonlySet<string> {
  if (!file || !canRefer(file.path) || file.bytes > LIMITS.fileBytes) return new Set();
  return referencesIn(readFileSync(file.file, 'utf8'));
}

function withNeededLock(
  lock: FolderFile,
  files: readonly FolderFile[],
  references: (path: string) => ReadonlySet<string>,
): FolderFile {
  const named = new Set<string>();
  for (const { path } of files) {
    if (TOOLS.test(path)) continue;
    for (const reference of references(path)) {
      const name = packageIn(reference);
      if (name !== undefined) named.add(name);
    }
  }
  const content = Buffer.from(neededLock(contentOf(lock).toString(), (name) => named.has(name)));
  return { ...lock, content, bytes: content.length };
}

/** Files whose text can refer to other files. */
const REFERS = /(?:\.(?:[cm]?[jt]sx?|vue|svelte|css|html?)|^[^/]+\/.*package\.json)$/i;
const QUOTES = new Set(['"', "'", '`']);
const LONGEST = 300;
/** A URL in a style sheet may have no quotes. */
const BARE_URL = /url\(([^'"()\s]{1,300})\)/g;

const canRefer = (path: string): boolean => REFERS.test(path);

/**
 * Returns what a file may refer to: every short quoted text in it, and every URL of a style sheet. These are more than
 * its imports, which is harmless: a text counts only if there is a file or package of this name. Comments and languages
 * need no parser then, and imports, `new URL`, globs, `<script src>` and `@import` no cases.
 */
export function referencesIn(text: string): Set<string> {
  const found = new Set<string>();
  for (let at = 0; at < text.length; at++) {
    const quote = text[at] ?? '';
    if (!QUOTES.has(quote)) continue;
    // Every quote may begin a text: an apostrophe does not hide what follows it.
    const rest = text.slice(at + 1, at + 1 + LONGEST);
    const inside = rest.slice(0, Math.max(0, rest.indexOf(quote)));
    if (inside !== '' && !inside.includes('\n')) found.add(inside);
  }
  for (const [, url = ''] of text.matchAll(BARE_URL)) found.add(url);
  return found;
}

/** Returns the package that a reference can name, such as `@radix-ui/react-dialog` of `@radix-ui/react-dialog/dist`. */
export function packageIn(reference: string): string | undefined {
  return /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*(?=\/|$)/.exec(reference)?.[0];
}

/** Names of these files are fixed: configuration, pages, and what a build copies. */
const KEPT = /^(?:[^/]+|public\/.*|.*\.d\.ts)$/;

/**
 * Returns the paths of a project that a build can need: the files beside package.json, those of its root folder,
 * `public/`, and what they refer to, directly or not. References by an alias such as `@/` count if the rest of a path
 * matches, and those by the name of a package of the project, whose package.json names its files.
 * @param references returns what a file may refer to (`referencesIn`)
 * @param root the folder of the page: empty, or with a slash at its end
 * @param packages paths of package.json files by name
 */
function reachable(
  paths: readonly string[],
  references: (path: string) => ReadonlySet<string>,
  root = '',
  packages: ReadonlyMap<string, string> = new Map(),
): Set<string> {
  const index = new FileIndex(paths);
  const isKept = (path: string) => KEPT.test(path) || (path.startsWith(root) && KEPT.test(path.slice(root.length)));
  const found = new Set(paths.filter(isKept));
  const add = (reference: string, by: string) => {
    for (const file of index.find(reference, by)) found.add(file);
  };
  for (const path of found)
    for (const reference of references(path)) {
      add(reference, path);
      if (reference.startsWith('/')) add(`/${root}${reference.slice(1)}`, path);
      const name = packageIn(reference) ?? '';
      // What a package.json names, code may not import.
      const manifest = path.endsWith('package.json') ? undefined : packages.get(name);
      if (manifest === undefined) continue;
      found.add(manifest);
      const subpath = `.${reference.slice(name.length)}`;
      // The output of its build, which package.json may name, is seldom there.
      for (const file of [subpath, './src', `./src/${subpath}`]) add(file, manifest);
    }
  return found;
}

/** Packages that compiled JSX, Vue and Svelte files import without saying so. */
const IMPLIED = ['react', 'react-dom', 'preact', 'vue', 'svelte', 'solid-js'];

interface Entry {
  readonly link?: boolean;
  readonly [kind: string]: unknown;
}

const DEPENDENCIES = ['dependencies', 'optionalDependencies', 'peerDependencies'];

/**
 * Returns the part of a package-lock.json (version 2 or 3) that a build needs: the packages that the code names, and
 * those that they need. Others, such as build tools, are most of it. A text that is no such file is returned as it is:
 * the service says what is wrong with it.
 */
export function neededLock(text: string, isNamed: (name: string) => boolean): string {
  const lock = read(text);
  if (!lock) return text;
  const entries = new Map(Object.entries(lock.packages));
  const needed = new Set(['']);
  const add = (name: string, from: string) => {
    const key = locate(name, from, entries);
    if (key !== undefined) needed.add(key);
  };
  for (const name of IMPLIED) add(name, '');
  for (const key of entries.keys()) {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(key)?.[1];
    if (name !== undefined && isNamed(name)) needed.add(key);
  }
  for (const key of needed) {
    if (key === '') continue;
    const entry = entries.get(key) ?? {};
    for (const kind of DEPENDENCIES) for (const name of Object.keys(Object(entry[kind]))) add(name, key);
  }
  const packages = [...entries].filter(([key]) => needed.has(key));
  // Version 3 is version 2 without the list for npm 6.
  const { dependencies: _, ...rest } = lock;
  return `${JSON.stringify({ ...rest, lockfileVersion: 3, packages: Object.fromEntries(packages) }, null, 1)}\n`;
}

function read(text: string): { packages: Record<string, Entry>; dependencies?: unknown } | undefined {
  try {
    const lock = JSON.parse(text);
    const isKnown = lock.lockfileVersion === 2 || lock.lockfileVersion === 3;
    return isKnown && typeof lock.packages === 'object' ? lock : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the key of a dependency as Node finds it: in the packages of a package, then in those around it. */
function locate(name: string, from: string, entries: ReadonlyMap<string, Entry>): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const key = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (entries.has(key)) return key;
    if (at === '') return undefined;
  }
}
