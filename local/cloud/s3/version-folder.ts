import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ObjectHead, objectFile, readObjectHead } from './object-file.ts';

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
 * The noncurrent versions and delete markers of one key: a file each, in the format of an object. `ObjectStore` has the current
 * version. A killed process may leave a version in both places; then the current one takes precedence.
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
