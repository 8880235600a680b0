import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import type { Readable } from 'node:stream';

/** The metadata of an object, or of one of its versions. */
export interface ObjectHead {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** With quotes. */
  readonly etag: string;
  /** Unix milliseconds. */
  readonly lastModified: number;
  /** Stored headers for every Get: content-type, cache-control, x-amz-meta-*, … */
  readonly headers: Readonly<Record<string, string>>;
  /** Tags, encoded like URL parameters; absent without tags. */
  readonly tagging?: string;
  /** `x-amz-checksum-*` headers of the upload. */
  readonly checksums: Readonly<Record<string, string>>;
  /** Absent in buckets without versions, and for objects from before a bucket had versions. */
  readonly versionId?: string;
  /** Whether this version is a delete marker, which hides earlier versions. */
  readonly deleteMarker?: true;
}

/** Returns the content of a file: the length of the head (4 bytes), the head as JSON, the data. */
export function objectFile(head: ObjectHead, data: Buffer): Buffer[] {
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return [length, text, data];
}

/** Returns the head in a file, or undefined if the file does not exist. */
export function readObjectHead(path: string): ObjectHead | undefined {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return readHead(fd).head;
  } finally {
    closeSync(fd);
  }
}

/** Returns bytes `start` to `end` (inclusive) of the data in an existing file, which is opened synchronously. */
export function readObjectData(path: string, start: number, end: number): Readable {
  const fd = openSync(path, 'r');
  const { offset } = readHead(fd);
  return createReadStream(path, { fd, start: offset + start, end: offset + end });
}

function readHead(fd: number): { head: ObjectHead; offset: number } {
  const length = Buffer.alloc(4);
  readSync(fd, length, { position: 0 });
  const text = Buffer.alloc(length.readUInt32BE());
  readSync(fd, text, { position: 4 });
  return { head: JSON.parse(text.toString()), offset: 4 + text.length };
}
