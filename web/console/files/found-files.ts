import type { DeployFile } from '../../../client/client.ts';
import { LIMITS } from '../../../lambda/contract/limits.ts';
import { type NewMatcher, neverSent, Rules, type Verdict } from '../../../lambda/sites/folder-rules.ts';
import { PathSet } from '../../../lambda/sites/paths.ts';
import { textOf } from '../../../lambda/sites/text-of.ts';
import type { LeftOut } from '../state/types.ts';

/** A file that a user brings, before it is read. */
export interface FoundFile {
  /** With `/`. */
  readonly path: string;
  readonly bytes: number;
  read(): Promise<Uint8Array>;
}

const MB = 1_048_576;
const inMB = (bytes: number) => `${(bytes / MB).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
const IGNORE_FILE = /(?:^|\/)\.(?:ptp|git)ignore$/;
/** Ignore files are short. */
const MAX_IGNORE_BYTES = 65_536;

/** Returns the paths without the folder that all of them are in. */
export function withoutCommonRoot<T extends { readonly path: string }>(files: readonly T[]): T[] {
  const [root] = /^[^/]*\//.exec(files[0]?.path ?? '') ?? [];
  if (root === undefined || !files.every(({ path }) => path.startsWith(root))) return [...files];
  return files.map((file) => ({ ...file, path: file.path.slice(root.length) }));
}

/** The files that are deployed, and those that are not. */
export interface OwnFiles {
  readonly files: readonly DeployFile[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Returns the files that are deployed, by the rules of `ptp deploy`, with what these leave out.
 * @throws Error if the service would not accept them
 */
export async function deployable(found: readonly FoundFile[], newMatcher: NewMatcher): Promise<OwnFiles> {
  const files = found.map((file) => ({ ...file, path: file.path.normalize('NFC') }));
  const rules = new Rules(newMatcher);
  for (const [folder, texts] of await ignoreFiles(files))
    rules.add(folder, texts['.ptpignore'] ?? '', texts['.gitignore'] ?? '');
  const verdicts = new Map<string, Verdict>([['', {}]]);
  const kept = files.filter(({ path }) => verdictOn(path, false, rules, verdicts).reason === undefined);
  check(kept, files.length);
  const contents = await Promise.all(
    kept.map(async (file) => {
      const bytes = await file.read();
      // Text can be edited.
      return { path: file.path, content: textOf(bytes) ?? bytes };
    }),
  );
  const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
  return { files: contents.sort(byPath), leftOut: leftOutBy(verdicts).sort(byPath) };
}

/** Returns the files that are left out, and the folders in which all files are. */
function leftOutBy(verdicts: ReadonlyMap<string, Verdict>): LeftOut[] {
  return [...verdicts].flatMap(([path, { reason }]) =>
    reason !== undefined && verdicts.get(folderOf(path))?.reason === undefined ? [{ path, reason }] : [],
  );
}

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Returns the contents of ignore files by folder, parents first. */
async function ignoreFiles(files: readonly FoundFile[]) {
  const folders = new Map<string, Record<string, string>>();
  const ignores = files
    .filter(({ path, bytes }) => IGNORE_FILE.test(path) && bytes <= MAX_IGNORE_BYTES)
    .toSorted((a, b) => a.path.split('/').length - b.path.split('/').length);
  for (const file of ignores) {
    const folder = folderOf(file.path);
    const text = new TextDecoder().decode(await file.read());
    folders.set(folder, { ...folders.get(folder), [file.path.slice(file.path.lastIndexOf('/') + 1)]: text });
  }
  return folders;
}

/** A file is left out with any folder around it. */
function verdictOn(path: string, isFolder: boolean, rules: Rules, known: Map<string, Verdict>): Verdict {
  const before = known.get(path);
  if (before !== undefined) return before;
  const parent = verdictOn(folderOf(path), true, rules, known);
  const verdict = parent.reason === undefined ? judge(path, isFolder, rules, parent) : parent;
  known.set(path, verdict);
  return verdict;
}

function judge(path: string, isFolder: boolean, rules: Rules, parent: Verdict): Verdict {
  const reason = neverSent(path.slice(path.lastIndexOf('/') + 1));
  if (reason !== undefined) return { reason };
  // The package rejects paths that leave the folder; `check` refuses them.
  const isHostile = new PathSet().add(path) !== undefined;
  return isHostile ? parent : rules.judge(path, isFolder, parent);
}

/** @throws Error with what is wrong and what to do */
function check(files: readonly FoundFile[], found: number): void {
  if (files.length === 0)
    throw new Error(
      found === 0
        ? 'There are no files'
        : 'All of the files are left out: hidden files, node_modules, and what .gitignore names',
    );
  if (files.length > LIMITS.filesPerDeployment)
    throw new Error(
      `There are ${files.length.toLocaleString('en')} files, but a deployment has at most ${LIMITS.filesPerDeployment}`,
    );
  const paths = new PathSet();
  for (const { path, bytes } of files) {
    const problem = paths.add(path);
    if (problem !== undefined) throw new Error(`The path "${path}" ${problem}: rename the file`);
    if (bytes > LIMITS.fileBytes)
      throw new Error(`${path} has ${inMB(bytes)}, but a file at most ${inMB(LIMITS.fileBytes)}`);
  }
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > LIMITS.deploymentBytes)
    throw new Error(`The files have ${inMB(total)}, but a deployment at most ${inMB(LIMITS.deploymentBytes)}`);
}

type Packages = typeof import('./packages.ts');

/** A site with its sources and packages may be that large. */
const MAX_ZIP_BYTES = 64 * 1_048_576;
const MAX_ENTRIES = 10_000;

/**
 * Returns the files of a zip. They are decompressed when they are read, into as many bytes as the zip says that they have, so that
 * their sizes can be checked before.
 * @throws Error if it is no zip or far too large
 */
export function filesInZip(zip: Uint8Array, { unzipSync }: Packages): FoundFile[] {
  if (zip.length > MAX_ZIP_BYTES) throw new Error(`The zip is larger than ${MAX_ZIP_BYTES / 1_048_576} MB`);
  const sizes = new Map<string, number>();
  unzip(unzipSync, zip, ({ name, originalSize }) => {
    if (sizes.size >= MAX_ENTRIES) throw new Error(`The zip has more than ${MAX_ENTRIES.toLocaleString('en')} files`);
    if (!name.endsWith('/') && !name.startsWith('__MACOSX/')) sizes.set(name, originalSize);
    return false;
  });
  const read = async (path: string) => {
    const { [path]: content } = unzip(unzipSync, zip, ({ name }) => name === path);
    if (content?.length !== sizes.get(path)) throw new Error(`The zip is damaged: ${path} has another size`);
    return content as Uint8Array;
  };
  return [...sizes].map(([path, bytes]) => ({ path, bytes, read: () => read(path) }));
}

function unzip(
  unzipSync: Packages['unzipSync'],
  zip: Uint8Array,
  filter: (entry: { name: string; originalSize: number }) => boolean,
): Record<string, Uint8Array> {
  try {
    return unzipSync(zip, { filter });
  } catch (error) {
    // Errors of the package have a code.
    if (error instanceof Error && 'code' in error) throw new Error(`The zip cannot be read: ${error.message}`);
    throw error;
  }
}

export async function zipOf(files: readonly DeployFile[]): Promise<Blob> {
  const { zipSync, strToU8 } = await import('./packages.ts');
  const contents = files.map(({ path, content }) => [path, typeof content === 'string' ? strToU8(content) : content]);
  const bytes = zipSync(Object.fromEntries(contents));
  return new Blob([bytes], { type: 'application/zip' });
}
