import { createHash } from 'node:crypto';
import { BUILD_LIMITS } from '../../contract/builds.ts';
import { BuildError } from '../problem.ts';
import { ArchiveError, nameInArchive, unpack } from './archive.ts';
import type { Manifest } from './manifest.ts';
import type { Registry } from './registry.ts';
import type { PackageStore } from './store.ts';

/** The files of a package by path in it, and what its archive took. */
export interface Contents {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  /** Total size of `files`, which are less than what was unpacked. */
  readonly fileBytes: number;
}

/** Of all packages of a build together. */
export type ContentLimits = Readonly<Record<'packedBytes' | 'unpackedBytes', number>>;

/** Files of packages that an instance keeps. */
const KEPT_BYTES = 192 * 1_048_576;

/** Gets the contents of packages: of this instance, or else of the store, or else of the registry. */
export class PackageContents {
  readonly #registry: Registry;
  readonly #store: PackageStore;
  readonly #limits: ContentLimits;
  readonly #kept = new Map<string, Contents>();
  #keptBytes = 0;
  /** Writes to the store, which may fail: the next build tries again. */
  readonly #storing: Promise<void>[] = [];

  constructor(registry: Registry, store: PackageStore, limits: ContentLimits = BUILD_LIMITS) {
    this.#registry = registry;
    this.#store = store;
    this.#limits = limits;
  }

  /**
   * Returns the contents by integrity.
   * @throws BuildError `payload_too_large` beyond the limits; `build_failed` for an archive that is missing, damaged or not the one
   *   that its hash is of; `unavailable`
   */
  async get(manifests: Iterable<Manifest>): Promise<Map<string, Contents>> {
    const wanted = new Map([...manifests].map((manifest) => [manifest.integrity, manifest]));
    const left = { packed: this.#limits.packedBytes, unpacked: this.#limits.unpackedBytes };
    const found = await Promise.all(
      [...wanted.values()].map(async (manifest) => {
        const contents = this.#kept.get(manifest.integrity) ?? (await this.#load(manifest, left));
        if (nameInArchive(contents.files) !== manifest.name) {
          throw failed(manifest, `is an archive of another package`);
        }
        left.packed -= contents.packedBytes;
        left.unpacked -= contents.unpackedBytes;
        if (left.packed < 0 || left.unpacked < 0) throw this.#tooLarge();
        return [manifest.integrity, contents] as const;
      }),
    );
    for (const [integrity, contents] of found) this.#keep(integrity, contents);
    await Promise.all(this.#storing.splice(0));
    return new Map(found);
  }

  async #load(manifest: Manifest, left: { packed: number; unpacked: number }): Promise<Contents> {
    const archive = await this.#archive(manifest);
    try {
      const { files, bytes } = unpack(archive, left.unpacked);
      const fileBytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
      return { files, packedBytes: archive.length, unpackedBytes: bytes, fileBytes };
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      if (error.reason === 'too large') throw this.#tooLarge();
      throw failed(manifest, 'has a damaged archive');
    }
  }

  async #archive(manifest: Manifest): Promise<Uint8Array> {
    const { name, version, integrity } = manifest;
    const isStored = integrity.startsWith('sha512-');
    const stored = isStored ? await this.#store.get(integrity).catch(() => undefined) : undefined;
    if (stored && isGenuine(stored, integrity)) return stored;
    const archive = await this.#registry.archive(name, version, this.#limits.packedBytes);
    if (!archive) throw failed(manifest, 'is not in the registry');
    if (!isGenuine(archive, integrity))
      throw failed(manifest, `does not have the hash ${integrity.slice(0, 24)}…`);
    if (isStored) this.#storing.push(this.#store.put(integrity, archive).catch(() => undefined));
    return archive;
  }

  /** Keeps the packages that were used last. */
  #keep(integrity: string, contents: Contents): void {
    if (!this.#kept.delete(integrity)) this.#keptBytes += contents.fileBytes;
    this.#kept.set(integrity, contents);
    for (const [oldest, { fileBytes }] of this.#kept) {
      if (this.#keptBytes <= KEPT_BYTES) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= fileBytes;
    }
  }

  #tooLarge(): BuildError {
    const packed = Math.floor(this.#limits.packedBytes / 1_048_576);
    const unpacked = Math.floor(this.#limits.unpackedBytes / 1_048_576);
    const message = `The packages of the project have more than ${packed} MB, or ${unpacked} MB unpacked`;
    return new BuildError([{ message }], 'payload_too_large');
  }
}

function isGenuine(archive: Uint8Array, integrity: string): boolean {
  const dash = integrity.indexOf('-');
  return createHash(integrity.slice(0, dash)).update(archive).digest('base64') === integrity.slice(dash + 1);
}

function failed({ name, version }: Manifest, reason: string): BuildError {
  return new BuildError([{ message: `${name} ${version} ${reason}` }]);
}
