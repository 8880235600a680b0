import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import { BUILD_LIMITS } from '../../contract/limits.ts';
import { RecentlyUsed } from '../../platform/recently-used.ts';
import { BuildError } from '../problems.ts';
import { ArchiveError, nameInArchive, unpack } from './archive.ts';
import type { Manifest } from './manifest.ts';
import type { Registry } from './registry.ts';
import type { PackageStore } from './store.ts';

/** The files of a package by path in it, and what its archive took. */
interface Contents {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  /** Whether the files with types are among them. */
  readonly types: boolean;
}

/** Packages that the error for too many bytes names. */
const NAMED = 3;

/** The bytes that all packages of a build may have together. */
export type ContentLimits = Readonly<Record<'packedBytes' | 'unpackedBytes', number>>;

/** Gets the contents of packages: of this instance, or else of the store, or else of the registry. */
export class PackageContents {
  readonly #registry: Registry;
  readonly #store: PackageStore | undefined;
  readonly #limits: ContentLimits;
  /** Unpacked packages that an instance keeps: all of one build. */
  readonly #kept = new RecentlyUsed<Contents>(BUILD_LIMITS.unpackedBytes);
  /** Contents that are being fetched, for builds that want the same. */
  readonly #loading = new Map<string, Promise<Contents>>();
  /** Writes to the store, which may fail: the next build tries again. */
  readonly #storing = new Set<Promise<void>>();
  /** One at a time, so that the memory of all of them together stays within the limits. */
  readonly #unpacking = pLimit(1);

  constructor(registry: Registry, store: PackageStore | undefined, limits: ContentLimits = BUILD_LIMITS) {
    this.#registry = registry;
    this.#store = store;
    this.#limits = limits;
  }

  /**
   * Returns the contents by integrity.
   * @param types with the files that have types
   * @throws BuildError `payload_too_large` beyond the limits; `build_failed` for an archive that is missing, damaged or
   *   not the one that its hash is of; `unavailable`
   */
  async get(manifests: Iterable<Manifest>, types = false): Promise<Map<string, Contents>> {
    const wanted = new Map([...manifests].map((manifest) => [manifest.integrity, manifest]));
    const budget = new Budget(this.#limits);
    const found = await Promise.all(
      [...wanted.values()].map(async (manifest) => {
        const contents = (await this.#spent(manifest, types, budget)) ?? (await this.#load(manifest, types, budget));
        if (nameInArchive(contents.files) !== manifest.name) {
          throw failed(manifest, 'is an archive of another package');
        }
        this.#kept.set(manifest.integrity, contents, contents.unpackedBytes);
        return [manifest.integrity, contents] as const;
      }),
    );
    await Promise.all(this.#storing);
    return new Map(found);
  }

  /**
   * Returns the contents that this instance kept or is fetching. They count against the limits, so that no result depends
   * on the cache.
   */
  async #spent({ name, integrity }: Manifest, types: boolean, budget: Budget): Promise<Contents | undefined> {
    const kept = (await this.#loading.get(integrity)?.catch(() => undefined)) ?? this.#kept.get(integrity);
    if (kept && (kept.types || !types)) {
      budget.spendPacked(name, kept.packedBytes);
      budget.spendUnpacked(kept.unpackedBytes);
      return kept;
    }
    return undefined;
  }

  async #load(manifest: Manifest, types: boolean, budget: Budget): Promise<Contents> {
    const { integrity } = manifest;
    const loading = this.#fetch(manifest, types, budget);
    this.#loading.set(integrity, loading);
    try {
      return await loading;
    } finally {
      if (this.#loading.get(integrity) === loading) this.#loading.delete(integrity);
    }
  }

  async #fetch(manifest: Manifest, types: boolean, budget: Budget): Promise<Contents> {
    const archive = await this.#archive(manifest, budget);
    try {
      const { files, bytes } = await this.#unpacking(async () => {
        const unpacked = await unpack(archive, budget.unpacked, types);
        budget.spendUnpacked(unpacked.bytes);
        return unpacked;
      });
      return { files, packedBytes: archive.length, unpackedBytes: bytes, types };
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      if (error.reason === 'too large') throw budget.exceeded();
      throw failed(manifest, 'has a damaged archive');
    }
  }

  async #archive(manifest: Manifest, budget: Budget): Promise<Uint8Array> {
    const { name, version, integrity } = manifest;
    const store = integrity.startsWith('sha512-') ? this.#store : undefined;
    const stored = await store?.get(integrity).catch(() => undefined);
    if (stored && isGenuine(stored, integrity)) {
      budget.spendPacked(name, stored.length);
      return stored;
    }
    const archive = await this.#registry.archive(name, version, (bytes) => budget.spendPacked(name, bytes));
    if (!archive) throw failed(manifest, 'is not in the registry');
    if (!isGenuine(archive, integrity)) throw failed(manifest, `does not have the hash ${integrity.slice(0, 24)}…`);
    if (store) {
      const storing = store.put(integrity, archive).catch(() => undefined);
      this.#storing.add(storing);
      storing.finally(() => this.#storing.delete(storing));
    }
    return archive;
  }
}

/** The bytes that a build may still use. */
class Budget {
  readonly #limits: ContentLimits;
  packed: number;
  unpacked: number;
  /** Packed bytes so far, by name. */
  readonly #spent = new Map<string, number>();

  constructor(limits: ContentLimits) {
    this.#limits = limits;
    this.packed = limits.packedBytes;
    this.unpacked = limits.unpackedBytes;
  }

  spendPacked(name: string, bytes: number): void {
    this.#spent.set(name, (this.#spent.get(name) ?? 0) + bytes);
    this.packed -= bytes;
    if (this.packed < 0) throw this.exceeded();
  }

  spendUnpacked(bytes: number): void {
    this.unpacked -= bytes;
    if (this.unpacked < 0) throw this.exceeded();
  }

  exceeded(): BuildError {
    const packed = Math.floor(this.#limits.packedBytes / 1_048_576);
    const unpacked = Math.floor(this.#limits.unpackedBytes / 1_048_576);
    const largest = [...this.#spent].sort(([, a], [, b]) => b - a).slice(0, NAMED);
    const names = largest.map(([name]) => name).join(', ');
    const message = `The packages of the project have more than ${packed} MB, or ${unpacked} MB unpacked. The largest so far: ${names}`;
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
