import type { DeployFile } from '../../../client/client.ts';
import type { FoundFile } from './found-file.ts';

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
    if (sizes.size >= MAX_ENTRIES)
      throw new Error(`The zip has more than ${MAX_ENTRIES.toLocaleString('en')} files`);
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
    if (error instanceof Error && 'code' in error)
      throw new Error(`The zip cannot be read: ${error.message}`);
    throw error;
  }
}

/** Returns a zip of the files. */
export async function zipOf(files: readonly DeployFile[]): Promise<Blob> {
  const { zipSync, strToU8 } = await import('./packages.ts');
  const contents = files.map(({ path, content }) => [
    path,
    typeof content === 'string' ? strToU8(content) : content,
  ]);
  const bytes = zipSync(Object.fromEntries(contents));
  return new Blob([bytes], { type: 'application/zip' });
}
