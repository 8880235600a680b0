import { DeleteObjectsCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { archiveKey } from '../sites/archive.ts';

/** Writes the versions of sites to S3: one immutable zip each, so a version exists as a whole or not at all. */
export class ArchiveStore {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  async put(id: string, version: string, archive: Uint8Array): Promise<void> {
    await this.#s3.send(
      new PutObjectCommand({
        Bucket: this.#bucket,
        Key: archiveKey(id, version),
        Body: archive,
        ContentType: 'application/zip',
      }),
    );
  }

  /** One call, however many; versions that are not there are no error. */
  async delete(id: string, versions: readonly string[]): Promise<void> {
    if (versions.length === 0) return;
    const Objects = versions.map((version) => ({ Key: archiveKey(id, version) }));
    const { Errors: [first] = [] } = await this.#s3.send(
      new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } }),
    );
    if (first) throw new Error(`${first.Key} could not be deleted: ${first.Code} ${first.Message}`);
  }
}
