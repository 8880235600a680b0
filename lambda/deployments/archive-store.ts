import { DeleteObjectsCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { readObject } from '../platform/read-object.ts';
import { archiveKey } from '../sites/archive.ts';

/** Stores each version in S3 as one immutable zip, so that a version is either complete or absent. */
export class ArchiveStore {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  /**
   * Stores a version. The signature does not cover the archive ("Transferring Payload in a Single Chunk", S3 API
   * Reference), since a SHA-256 of 10 MB takes longer than packing them: the bucket rejects requests without TLS, and S3
   * verifies the CRC-32 that the SDK sends as a signed header.
   */
  async put(id: string, version: string, archive: Uint8Array): Promise<void> {
    const command = new PutObjectCommand({
      Bucket: this.#bucket,
      Key: archiveKey(id, version),
      Body: archive,
      ContentType: 'application/zip',
    });
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

  /** Deletes archives in one call; those that do not exist are no error. */
  async delete(id: string, versions: readonly string[]): Promise<void> {
    if (versions.length === 0) return;
    const Objects = versions.map((version) => ({ Key: archiveKey(id, version) }));
    const { Errors: [first] = [] } = await this.#s3.send(
      new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } }),
    );
    if (first) throw new Error(`${first.Key} could not be deleted: ${first.Code} ${first.Message}`);
  }
}
