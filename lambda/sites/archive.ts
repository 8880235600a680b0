import { crc32 } from 'node:zlib';
import type { SiteFile } from './accept-files.ts';
import { byPath } from './paths.ts';

const LOCAL_HEADER = { signature: 0x04034b50, bytes: 30 };
const DIRECTORY_HEADER = { signature: 0x02014b50, bytes: 46 };
const DIRECTORY_END = { signature: 0x06054b50, bytes: 22 };
const VERSION = 20;
/** Bit 11: names are UTF-8. */
const FLAGS = 0x0800;
/** 1 January 2026, midnight. A fixed date, so that equal sites give equal archives. */
const DATE = ((2026 - 1980) << 9) | (1 << 5) | 1;

/**
 * Returns the files of a version as a zip (PKWARE's APPNOTE 6.3; no Zip64, since a site has at most 10 MB). The entries
 * are stored, not deflated: CloudFront compresses text for the visitor anyway. Not done by a library, because Node's
 * native `crc32` makes this ten times as fast.
 */
export function packSite(files: readonly SiteFile[]): Uint8Array {
  const entries = files.map(({ path, content, size }) => ({ name: Buffer.from(path), content, size }));
  const sum = (of: (entry: (typeof entries)[number]) => number) =>
    entries.reduce((total, entry) => total + of(entry), 0);
  const dataBytes = sum(({ name, size }) => LOCAL_HEADER.bytes + name.length + size);
  const directoryBytes = sum(({ name }) => DIRECTORY_HEADER.bytes + name.length);
  // Every byte is written below.
  const archive = Buffer.allocUnsafe(dataBytes + directoryBytes + DIRECTORY_END.bytes);
  let at = 0;
  let directory = dataBytes;
  for (const { name, size, content } of entries) {
    const start = at;
    const data = start + LOCAL_HEADER.bytes + name.length;
    if (typeof content === 'string') archive.write(content, data);
    else archive.set(content, data);
    const common = commonFields(name, archive.subarray(data, data + size));
    at = archive.writeUInt32LE(LOCAL_HEADER.signature, at);
    at = put(archive, [common, name], at) + size;
    directory = archive.writeUInt32LE(DIRECTORY_HEADER.signature, directory);
    directory = archive.writeUInt16LE(VERSION, directory);
    // No comment, first disk, no attributes.
    directory = put(archive, [common, Buffer.alloc(10)], directory);
    directory = archive.writeUInt32LE(start, directory);
    directory = put(archive, [name], directory);
  }
  writeDirectoryEnd(archive, directory, files.length, directoryBytes, dataBytes);
  return archive;
}

/** Returns files by path as a zip. Equal files give equal archives, whatever their order. */
export function packContents(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const sorted = Array.from(files, ([path, content]) => ({ path, content, size: content.length }));
  return packSite(sorted.sort((a, b) => byPath(a.path, b.path)));
}

/** Returns the key of a version's archive in the sites bucket. */
export function archiveKey(id: string, version: string): string {
  return `sites/${id}/${version}.zip`;
}

/** Returns the key of what was built of a version's source (`builtSite`), in the sites bucket. */
export function builtKey(id: string, version: string): string {
  return `sites/${id}/${version}.built`;
}

/** Returns the key of what a browser saw of a version (`packLook`), in the sites bucket. */
export function lookKey(id: string, version: string): string {
  return `sites/${id}/${version}.look`;
}

/** Returns the files of a version by path, as views of its archive. */
export function unpackSite(archive: Uint8Array): Map<string, Uint8Array> {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.length);
  const end = bytes.length - DIRECTORY_END.bytes;
  const files = new Map<string, Uint8Array>();
  let at = bytes.readUInt32LE(end + 16);
  while (at < end) {
    const size = bytes.readUInt32LE(at + 24);
    const start = bytes.readUInt32LE(at + 42);
    const name = at + DIRECTORY_HEADER.bytes;
    at = name + bytes.readUInt16LE(at + 28);
    const data = start + LOCAL_HEADER.bytes + (at - name);
    files.set(bytes.toString('utf8', name, at), bytes.subarray(data, data + size));
  }
  return files;
}

/** Returns the 26 bytes that both headers of a file have in common. */
function commonFields(name: Uint8Array, bytes: Uint8Array): Buffer {
  const fields = Buffer.alloc(LOCAL_HEADER.bytes - 4);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(FLAGS, 2);
  // Method 0 is stored, time 0 is midnight.
  fields.writeUInt16LE(DATE, 8);
  fields.writeUInt32LE(crc32(bytes), 10);
  fields.writeUInt32LE(bytes.length, 14);
  fields.writeUInt32LE(bytes.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

function writeDirectoryEnd(archive: Buffer, at: number, count: number, bytes: number, offset: number): void {
  archive.fill(0, at);
  archive.writeUInt32LE(DIRECTORY_END.signature, at);
  archive.writeUInt16LE(count, at + 8);
  archive.writeUInt16LE(count, at + 10);
  archive.writeUInt32LE(bytes, at + 12);
  archive.writeUInt32LE(offset, at + 16);
}

/** Writes the parts one after the other and returns the offset of their end. */
function put(target: Buffer, parts: readonly Uint8Array[], at: number): number {
  let end = at;
  for (const part of parts) {
    target.set(part, end);
    end += part.length;
  }
  return end;
}
