import { randomBytes } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
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
  /** True if this version is a delete marker, which hides earlier versions. */
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

/** The id of a version from before the bucket had versions. */
export const NULL_VERSION = 'null';

export const versionIdOf = ({ versionId = NULL_VERSION }: ObjectHead): string => versionId;

let lastMs = 0;
let inMs = 0;

/** Returns an id that is greater than all earlier ids of this process, so that ids sort by age. */
export function newVersionId(now = Date.now()): string {
  inMs = now > lastMs ? 0 : inMs + 1;
  lastMs = Math.max(now, lastMs);
  const order = lastMs.toString(36).padStart(9, '0') + inMs.toString(36).padStart(3, '0');
  return `${order}${randomBytes(10).toString('hex')}`;
}

/**
 * The noncurrent versions and delete markers of one key: a file each, in the format of an object. `ObjectStore` has the
 * current version. A killed process may leave a version in both places; then the current one takes precedence.
 */
export class VersionFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  path(versionId: string): string {
    return join(this.#path, versionId);
  }

  /** Keeps the current version, whose file is about to be replaced. */
  keep(currentFile: string, current: ObjectHead): void {
    mkdirSync(this.#path, { recursive: true });
    const kept = this.path(versionIdOf(current));
    rmSync(kept, { force: true });
    linkSync(currentFile, kept);
  }

  /** Adds a delete marker as the newest version. */
  mark(key: string): ObjectHead {
    mkdirSync(this.#path, { recursive: true });
    const marker: ObjectHead = {
      key,
      size: 0,
      etag: '',
      lastModified: Date.now(),
      headers: {},
      checksums: {},
      versionId: newVersionId(),
      deleteMarker: true,
    };
    writeFileSync(this.path(versionIdOf(marker)), Buffer.concat(objectFile(marker, Buffer.alloc(0))));
    return marker;
  }

  /** Returns the versions, newest first. */
  list(): ObjectHead[] {
    return this.#ids().flatMap((id) => readObjectHead(this.path(id)) ?? []);
  }

  remove(versionId: string): void {
    rmSync(this.path(versionId), { force: true });
  }

  /** Makes the newest version current, unless that is a delete marker. */
  promote(currentFile: string): void {
    const [newest] = this.list();
    if (newest && !newest.deleteMarker) renameSync(this.path(versionIdOf(newest)), currentFile);
  }

  #ids(): string[] {
    const order = (id: string) => (id === NULL_VERSION ? '' : id);
    try {
      return readdirSync(this.#path).sort((a, b) => (order(a) < order(b) ? 1 : -1));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }
}
