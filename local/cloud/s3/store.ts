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

/** What is known of an object besides its bytes. */
export interface ObjectHead {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** With its quotes. */
  readonly etag: string;
  /** Milliseconds. */
  readonly lastModified: number;
  /** Sent again with every Get: content-type, cache-control, x-amz-meta-*, … */
  readonly headers: Readonly<Record<string, string>>;
  /** Its tags, encoded as the parameters of a URL; absent when it has none. */
  readonly tagging?: string;
  /** `x-amz-checksum-*` headers that came with the object. */
  readonly checksums: Readonly<Record<string, string>>;
}

/**
 * Objects on disk. Each is one file, `<root>/<bucket>/<SHA-256 of its key>`, since a key may be longer
 * than a file name and differ from another one only in case: the length of the head (4 bytes), the head as
 * JSON, the data. So an object and what is known of it appear in one rename.
 */
export class ObjectStore {
  readonly #root: string;
  readonly #incoming: string;

  /** Creates the buckets that do not exist, and forgets uploads that a dead process left unfinished. */
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
   * Bytes `start` to `end` (inclusive) of an object that exists. The file is opened at once: a caller that
   * read the head in the same turn gets that version, whatever is written meanwhile.
   */
  data(bucket: string, key: string, start: number, end: number): Readable {
    const path = this.#path(bucket, key);
    const fd = openSync(path, 'r');
    const { offset } = readHead(fd);
    return createReadStream(path, { fd, start: offset + start, end: offset + end });
  }

  /**
   * Puts an object in place once it is safely on disk. `check` sees what it will replace and may throw;
   * nothing else happens between the two.
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

  /** Every object of a bucket whose key starts with `prefix`, in the UTF-8 order of the keys. */
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

/** Reads from a file; undefined when there is none. */
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
