import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** The metadata of an object. */
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
}

/**
 * Objects on disk. Each is one file, `<root>/<bucket>/<SHA-256 of its key>`, because keys can be longer
 * than file names and differ only in case: the length of the head (4 bytes), the head as JSON, the data. A
 * rename makes head and data visible atomically.
 */
export class ObjectStore {
  readonly #root: string;
  readonly #incoming: string;

  /** Creates missing buckets, and deletes unfinished uploads of a killed process. */
  constructor(root: string, buckets: readonly string[]) {
    this.#root = root;
    this.#incoming = join(root, '.incoming');
    rmSync(this.#incoming, { recursive: true, force: true });
    for (const folder of ['.incoming', ...buckets]) mkdirSync(join(root, folder), { recursive: true });
  }

  head(bucket: string, key: string): ObjectHead | undefined {
    return withFile(this.#path(bucket, key), (fd) => readHead(fd).head);
  }

  /**
   * Returns bytes `start` to `end` (inclusive) of an existing object. Opens the file synchronously, so that
   * they belong to the head that was read in the same turn.
   */
  data(bucket: string, key: string, start: number, end: number): Readable {
    const path = this.#path(bucket, key);
    const fd = openSync(path, 'r');
    const { offset } = readHead(fd);
    return createReadStream(path, { fd, start: offset + start, end: offset + end });
  }

  /**
   * Writes an object to disk and renames it into place. `check` gets the object that will be replaced and
   * can throw; check and rename are atomic.
   */
  async put(
    bucket: string,
    head: ObjectHead,
    data: Buffer,
    check: (existing: ObjectHead | undefined) => void,
  ): Promise<void> {
    const text = Buffer.from(JSON.stringify(head));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    const temporary = join(this.#incoming, randomUUID());
    try {
      await writeFile(temporary, [length, text, data], { flush: true });
      check(this.head(bucket, head.key));
      renameSync(temporary, this.#path(bucket, head.key));
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }

  delete(bucket: string, key: string): void {
    rmSync(this.#path(bucket, key), { force: true });
  }

  /** Returns the objects of a bucket whose keys start with `prefix`, in the UTF-8 order of the keys. */
  list(bucket: string, prefix: string): ObjectHead[] {
    const folder = join(this.#root, bucket);
    return readdirSync(folder)
      .map((name) => withFile(join(folder, name), (fd) => readHead(fd).head))
      .filter((head) => head !== undefined)
      .filter(({ key }) => key.startsWith(prefix))
      .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  }

  #path(bucket: string, key: string): string {
    return join(this.#root, bucket, createHash('sha256').update(key).digest('hex'));
  }
}

/** Reads from a file. Returns undefined if it does not exist. */
function withFile<T>(path: string, read: (fd: number) => T): T | undefined {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return read(fd);
  } finally {
    closeSync(fd);
  }
}

function readHead(fd: number): { head: ObjectHead; offset: number } {
  const length = Buffer.alloc(4);
  readSync(fd, length, { position: 0 });
  const text = Buffer.alloc(length.readUInt32BE());
  readSync(fd, text, { position: 4 });
  return { head: JSON.parse(text.toString()), offset: 4 + text.length };
}
