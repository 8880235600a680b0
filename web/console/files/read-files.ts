import type { DeployFile } from '../../../client/client.ts';
import { filesInZip } from './archive.ts';
import { deployable, type FoundFile, withoutCommonRoot } from './found-file.ts';

/** Reading a dropped folder stops here: a home folder, say, is a mistake. */
const MOST_FILES = 10_000;
/** Large folders that are never deployed are not even listed. */
const SKIPPED = /^(?:node_modules|\.git)$/;

/**
 * Returns the files of a drop: a folder, several files, or one zip.
 * @throws Error with what is wrong with them
 */
export async function readDropped(data: DataTransfer): Promise<DeployFile[]> {
  // The items are gone once the event is over.
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found: FoundFile[] = [];
  for (const entry of entries) await walk(entry, '', found);
  return accept(found);
}

/** Returns the files of `<input type=file>`: of a folder, several files, or one zip. @throws Error with what is wrong with them */
export function readPicked(list: FileList): Promise<DeployFile[]> {
  return accept([...list].map((file) => foundFile(file, file.webkitRelativePath || file.name)));
}

async function accept(found: readonly FoundFile[]): Promise<DeployFile[]> {
  const packages = await import('./packages.ts');
  const [only] = found;
  const isZip = found.length === 1 && only !== undefined && /\.zip$/i.test(only.path);
  const files = isZip ? filesInZip(await only.read(), packages) : found;
  return deployable(withoutCommonRoot(files), packages.ignore);
}

const foundFile = (file: File, path: string): FoundFile => ({
  path,
  bytes: file.size,
  read: async () => new Uint8Array(await file.arrayBuffer()),
});

async function walk(entry: FileSystemEntry, folder: string, found: FoundFile[]): Promise<void> {
  const path = folder + entry.name;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    found.push(foundFile(file, path));
    if (found.length > MOST_FILES)
      throw new Error(
        `There are more than ${MOST_FILES.toLocaleString('en')} files: drop the folder of a site`,
      );
  } else if (!SKIPPED.test(entry.name)) {
    for (const child of await childrenOf(entry as FileSystemDirectoryEntry))
      await walk(child, `${path}/`, found);
  }
}

/** A reader returns some of the entries at a time, and none at the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}
