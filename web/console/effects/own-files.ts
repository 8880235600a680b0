import { newKey } from '../../../client/files.ts';
import {
  deployable,
  type FoundFile,
  filesInZip,
  type OwnFiles,
  withoutCommonRoot,
  zipOf,
} from '../files/found-files.ts';
import { failureOf } from '../state/failure.ts';
import type { Files, PublishedSite } from '../state/types.ts';
import type { Context } from './context.ts';
import { leave } from './generate.ts';

export const uploadDropped = (context: Context, data: DataTransfer) => upload(context, () => readDropped(data));

export const uploadPicked = (context: Context, list: FileList) => upload(context, () => readPicked(list));

/** Opens files of this machine as a project. */
async function upload(context: Context, read: () => Promise<OwnFiles>): Promise<void> {
  const { dispatch } = context.store;
  const own = await read().catch((error) => {
    dispatch({ type: 'failed', failure: { ...failureOf(error), code: 'files' } });
  });
  if (!own) return;
  leave();
  const { leftOut } = own;
  const files = new Map(own.files.map(({ path, content }) => [path, content]));
  const at = Date.now();
  dispatch({ type: 'uploaded', projectId: newKey(), name: nameOf(files), files, leftOut, at });
}

function nameOf(files: Files): string {
  const page = files.get('index.html');
  const text = page instanceof Uint8Array ? new TextDecoder().decode(page) : page;
  return /<title[^>]*>([^<]+)/i.exec(text ?? '')?.[1]?.trim() || 'Uploaded files';
}

/** Saves the files of the project as a zip. */
export async function download(context: Context): Promise<void> {
  const { project, store } = context;
  if (!project) return;
  const files = [...project.files].map(([path, content]) => ({ path, content }));
  const zip = await context.attempt(() => zipOf(files));
  if (!zip) return;
  const name = project.name
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase();
  save(zip, `${name || 'project'}.zip`);
  store.dispatch({ type: 'saved', files: project.files });
}

/** Reading a dropped folder stops here: a home folder, say, is a mistake. */
const MOST_FILES = 10_000;
/** Large folders that are never deployed are not read: they are found as files, which their names leave out. */
const SKIPPED = /^(?:node_modules|\.git)$/;

/** Returns the files of a drop: a folder, several files, or one zip. @throws Error with what is wrong with them */
async function readDropped(data: DataTransfer): Promise<OwnFiles> {
  // The items are gone once the event is over.
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found: FoundFile[] = [];
  for (const entry of entries) await walk(entry, '', found);
  return accept(found);
}

/** Returns the files of `<input type=file>`: of a folder, several files, or one zip. @throws Error with what is wrong with them */
function readPicked(list: FileList): Promise<OwnFiles> {
  return accept([...list].map((file) => foundFile(file, file.webkitRelativePath || file.name)));
}

async function accept(found: readonly FoundFile[]): Promise<OwnFiles> {
  const packages = await import('../files/packages.ts');
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
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.push(foundFile(file, path));
    if (found.length > MOST_FILES)
      throw new Error(`There are more than ${MOST_FILES.toLocaleString('en')} files: drop the folder of a site`);
  } else if (SKIPPED.test(entry.name)) {
    found.push({ path, bytes: 0, read: async () => new Uint8Array() });
  } else {
    for (const child of await childrenOf(entry as FileSystemDirectoryEntry)) await walk(child, `${path}/`, found);
  }
}

/** A reader returns some of the entries at a time, and none at the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

/** Saves all items of a collection as CSV. */
export async function saveCsv({ client }: Context, { id, token }: PublishedSite, collection: string): Promise<void> {
  const parts: string[] = [];
  // Later parts have the byte order mark and the heading, too.
  for await (const part of client.data.csv(id, collection, { token }))
    parts.push(parts.length === 0 ? part : part.slice(part.indexOf('\r\n') + 2));
  save(new Blob(parts, { type: 'text/csv' }), `${collection}.csv`);
}

function save(content: Blob, download: string): void {
  const href = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href, download }).click();
  // Browsers read the URL when the download begins, which is after the click.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
