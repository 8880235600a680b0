import { readFileSync } from 'node:fs';
import { LIMITS } from '../../../lambda/contract/limits.ts';
import type { Manifest } from '../manifest.ts';
import { contentOf, type FolderFile } from '../scan.ts';
import { neededLock } from './lock-file.ts';
import { reachable } from './reachable.ts';
import { canRefer, packageIn, referencesIn } from './references.ts';
import { readVariables } from './variables.ts';

export const UNUSED = 'nothing imports it';

const LOCK = 'package-lock.json';
/** A build reads none of these. They are often too large to be sent. */
const FOREIGN_LOCK = /^(?:pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/;
/** What these name is not part of the page. */
const TOOLS = /^[^/]*\.config\.[cm]?[jt]s(?:$|\.)|\.d\.[cm]?ts$/;

/**
 * Returns what is sent of a project that the service builds: the files, the part of the lock file that the build needs, and the
 * variables. Only if the files would exceed the limits of a deploy, those that nothing imports are left out, such as tests.
 */
export function sourceManifest(manifest: Manifest): Manifest {
  const leftOut = [...manifest.leftOut];
  let files = manifest.files.filter(({ path }) => !FOREIGN_LOCK.test(path));
  for (const { path } of manifest.files)
    if (FOREIGN_LOCK.test(path)) leftOut.push({ path, reason: 'lock file of another package manager' });
  const references = memoized(files);
  if (files.length > LIMITS.filesPerDeployment || sizeOf(files) > LIMITS.deploymentBytes) {
    const used = reachable(
      files.map(({ path }) => path),
      (path) => (TOOLS.test(path) ? withoutGlobs(references(path)) : references(path)),
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
    variables: readVariables(manifest.site.folder),
  };
}

/** What Tailwind looks for classes in is not imported by it. */
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
