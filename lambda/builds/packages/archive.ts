import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { textOf } from '../files.ts';
import { membersIn } from '../json.ts';
import { isPackageName } from './manifest.ts';

/** An archive that cannot be unpacked. */
export class ArchiveError extends Error {
  readonly reason: 'too large' | 'damaged';

  constructor(reason: 'too large' | 'damaged') {
    super(`The archive is ${reason}`);
    this.reason = reason;
  }
}

/** A package has far fewer; each takes memory even if it is empty. */
const MAX_ENTRIES = 50_000;
const MAX_PATH = 400;
const BLOCK = 512;

const TYPES = /\.d\.[cm]?ts$/;
/** Maps, documents and tests, which no page loads. `examples` stays: three.js keeps its add-ons there. */
const LEFT_OUT =
  /(?:\.map|\.md|\.markdown|\.flow|\.tsbuildinfo)$|^(?:docs?|tests?|\.github)\/|(?:^|\/)__tests__\/|(?:^|\/)(?:LICENSE|LICENCE|CHANGELOG|README|AUTHORS)(?:\.txt)?$/i;

/**
 * Returns the files of a package's archive by path, without maps, documents and tests. Links, devices and paths
 * outside the package are ignored. What the files contain is data: nothing of it runs.
 * @param archive a tar archive (POSIX ustar with pax headers, or GNU) compressed with gzip
 * @param maxBytes of the unpacked archive
 * @param types keeps the files with types as well
 * @throws ArchiveError
 */
export async function unpack(
  archive: Uint8Array,
  maxBytes: number,
  types = false,
): Promise<{ files: Map<string, Uint8Array>; bytes: number }> {
  const tar = await inflated(archive, maxBytes);
  const kept: [path: string, content: Uint8Array][] = [];
  let longPath: string | undefined;
  let entries = 0;
  for (let offset = 0; offset + BLOCK <= tar.length; ) {
    const header = tar.subarray(offset, offset + BLOCK);
    if (header[0] === 0 && header.every((byte) => byte === 0)) break;
    entries += 1;
    if (entries > MAX_ENTRIES) throw new ArchiveError('too large');
    const size = sizeOf(header);
    const content = tar.subarray(offset + BLOCK, offset + BLOCK + size);
    if (content.length < size) throw new ArchiveError('damaged');
    offset += BLOCK + Math.ceil(size / BLOCK) * BLOCK;

    const type = String.fromCharCode(header[156] ?? 0);
    if (type === 'x') longPath = paxPath(content) ?? longPath;
    else if (type === 'L') longPath = text(content);
    else {
      const path = packagePath(longPath ?? headerPath(header));
      longPath = undefined;
      const isFile = type === '0' || type === '\0' || type === '7';
      if (isFile && path !== undefined && !LEFT_OUT.test(path) && (types || !TYPES.test(path)))
        kept.push([path, content]);
    }
  }
  const bytes = kept.reduce((sum, [, { length }]) => sum + length, 0);
  // Copies let the rest of the archive be collected, but take as long as inflating it.
  const owned = bytes > tar.length / 2 ? kept : kept.map(([path, content]) => [path, content.slice()] as const);
  return { files: new Map(owned), bytes: tar.length };
}

const inflate = promisify(gunzip);
/** No archive of a package gets larger by more than this factor. */
const MAX_RATIO = 1_032;

/** Inflates in one piece of the size that the archive states at its end: joining smaller ones takes as long again. */
async function inflated(archive: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const maxOutputLength = Math.max(1, maxBytes);
  const end = Buffer.from(archive.buffer, archive.byteOffset, archive.length).subarray(-4);
  const stated = end.length === 4 ? end.readUInt32LE() : 0;
  const chunkSize = Math.max(64, Math.min(stated, archive.length * MAX_RATIO, maxOutputLength) + 1);
  try {
    // A view without `Buffer`, whose `slice` does not copy.
    const tar = await inflate(archive, { maxOutputLength, chunkSize });
    return new Uint8Array(tar.buffer, tar.byteOffset, tar.length);
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new ArchiveError(isTooLarge ? 'too large' : 'damaged');
  }
}

/** A number in octal; GNU's base 256, for files over 8 GB, cannot be in here. */
function sizeOf(header: Uint8Array): number {
  const digits = text(header.subarray(124, 136)).trim();
  if (!/^[0-7]{0,12}$/.test(digits)) throw new ArchiveError('damaged');
  return Number.parseInt(digits || '0', 8);
}

function headerPath(header: Uint8Array): string {
  const name = text(header.subarray(0, 100));
  const isUstar = text(header.subarray(257, 262)) === 'ustar' && header[262] === 0;
  const prefix = isUstar ? text(header.subarray(345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

/**
 * The path of a pax header: records of `<length> <key>=<value>\n`, the length in decimal and of the whole record in
 * bytes.
 */
function paxPath(content: Uint8Array): string | undefined {
  let path: string | undefined;
  for (let offset = 0; offset < content.length; ) {
    const start = content.indexOf(0x20, offset);
    const length = start < 0 ? Number.NaN : Number(text(content.subarray(offset, start)));
    if (!Number.isInteger(length) || length <= start - offset) throw new ArchiveError('damaged');
    const value = text(content.subarray(start + 1, offset + length - 1));
    if (value.startsWith('path=')) path = value.slice('path='.length);
    offset += length;
  }
  return path;
}

/** The path in the package, whose folder in the archive can have any name; undefined if it is not one. */
function packagePath(path: string): string | undefined {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.length < 2 || path.length > MAX_PATH || /[\\\0]/.test(path)) return undefined;
  // Bundled dependencies would shadow those that are laid out here.
  if (segments.includes('..') || segments.includes('node_modules')) return undefined;
  return segments.slice(1).join('/');
}

function text(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return Buffer.from(bytes.buffer, bytes.byteOffset, end < 0 ? bytes.length : end).toString('utf8');
}

/** The package that an archive is of, as its package.json says. */
export function nameInArchive(files: ReadonlyMap<string, Uint8Array>): string | undefined {
  const { name } = membersIn(textOf(files, 'package.json'));
  return typeof name === 'string' && isPackageName(name) ? name : undefined;
}
