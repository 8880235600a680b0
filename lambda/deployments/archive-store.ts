import { DeleteObjectsCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { BuildReport, BuildVariables } from '../contract/builds.ts';
import { isMissingObject } from '../platform/missing-object.ts';
import { readObject } from '../platform/read-object.ts';
import { archiveKey, builtKey } from '../sites/archive.ts';
import { readLine } from '../sites/source/built-site.ts';

/** More than the first line of a built object has: 400 packages with their versions, bounded warnings and 4 KB of variables. */
const REPORT_BYTES = 262_144;

/** The first line of a built object: what the next deploy of the deployment keeps, unless it sends other variables. */
export interface StoredReport extends BuildReport {
  readonly env: BuildVariables;
}

/** A version whose objects are deleted. */
export interface StoredVersion {
  readonly version: string;
  /** Defined if the version may have been built. */
  readonly built?: number | undefined;
}

/**
 * Stores each version in S3 as one immutable zip, so that a version is either complete or absent. What was built of it is a
 * second object beside it.
 */
export class ArchiveStore {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  /** Stores a version, with what was built of it. */
  async put(id: string, version: string, archive: Uint8Array, built?: Uint8Array): Promise<void> {
    await Promise.all([
      this.#put(archiveKey(id, version), archive, 'application/zip'),
      built && this.#put(builtKey(id, version), built, 'application/octet-stream'),
    ]);
  }

  /**
   * Stores an object. The signature does not cover its bytes ("Transferring Payload in a Single Chunk", S3 API
   * Reference), since a SHA-256 of 10 MB takes longer than packing them: the bucket rejects requests without TLS, and S3
   * verifies the CRC-32 that the SDK sends as a signed header.
   */
  async #put(Key: string, Body: Uint8Array, ContentType: string): Promise<void> {
    const command = new PutObjectCommand({ Bucket: this.#bucket, Key, Body, ContentType });
    command.middlewareStack.add(
      (next) => (args) => {
        const { headers } = args.request as { headers: Record<string, string> };
        headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD';
        return next(args);
      },
      { step: 'build' },
    );
    await this.#s3.send(command);
  }

  /** Returns the archive of a version, or undefined if it was deleted. */
  get(id: string, version: string): Promise<Uint8Array | undefined> {
    return readObject(this.#s3, this.#bucket, archiveKey(id, version));
  }

  /** Returns the report of a version that was built, or undefined if the version was deleted. */
  async report(id: string, version: string): Promise<StoredReport | undefined> {
    try {
      const Range = `bytes=0-${REPORT_BYTES - 1}`;
      const command = new GetObjectCommand({ Bucket: this.#bucket, Key: builtKey(id, version), Range });
      const { Body } = await this.#s3.send(command);
      return readLine((await Body?.transformToByteArray()) ?? new Uint8Array()).line as StoredReport;
    } catch (error) {
      if (!isMissingObject(error)) throw error;
      return undefined;
    }
  }

  /** Deletes the objects of versions in one call; those that do not exist are no error. */
  async delete(id: string, versions: readonly StoredVersion[]): Promise<void> {
    if (versions.length === 0) return;
    const Objects = versions.flatMap(({ version, built }) => [
      { Key: archiveKey(id, version) },
      ...(built === undefined ? [] : [{ Key: builtKey(id, version) }]),
    ]);
    const { Errors: [first] = [] } = await this.#s3.send(
      new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } }),
    );
    if (first) throw new Error(`${first.Key} could not be deleted: ${first.Code} ${first.Message}`);
  }
}
