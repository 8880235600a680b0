import type { DeployFile } from '../../../client/client.ts';
import { LIMITS } from '../../../lambda/contract/limits.ts';
import { type NewMatcher, neverSent, Rules, type Verdict } from '../../../lambda/sites/folder-rules.ts';
import { PathSet } from '../../../lambda/sites/paths.ts';
import { textOf } from '../../../lambda/sites/text-of.ts';

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

/**
 * Returns the files that are deployed, by the rules of `ptp deploy`.
 * @throws Error if the service would not accept them
 */
export async function deployable(found: readonly FoundFile[], newMatcher: NewMatcher): Promise<DeployFile[]> {
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
  return contents.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns the contents of ignore files by folder, parents first. */
async function ignoreFiles(files: readonly FoundFile[]) {
  const folders = new Map<string, Record<string, string>>();
  const ignores = files
    .filter(({ path, bytes }) => IGNORE_FILE.test(path) && bytes <= MAX_IGNORE_BYTES)
    .toSorted((a, b) => a.path.split('/').length - b.path.split('/').length);
  for (const file of ignores) {
    const at = file.path.lastIndexOf('/');
    const folder = file.path.slice(0, Math.max(0, at));
    const text = new TextDecoder().decode(await file.read());
    folders.set(folder, { ...folders.get(folder), [file.path.slice(at + 1)]: text });
  }
  return folders;
}

/** A file is left out with any folder around it. */
function verdictOn(path: string, isFolder: boolean, rules: Rules, known: Map<string, Verdict>): Verdict {
  const before = known.get(path);
  if (before !== undefined) return before;
  const parent = verdictOn(path.slice(0, Math.max(0, path.lastIndexOf('/'))), true, rules, known);
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
    throw new Error(
      `The files have ${inMB(total)}, but a deployment at most ${inMB(LIMITS.deploymentBytes)}`,
    );
}
