import { DeleteObjectsCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';

/** Versions of sites in S3: one immutable zip each, so that a version is there wholly or not at all. */
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
        Key: key(id, version),
        Body: archive,
        ContentType: 'application/zip',
      }),
    );
  }

  async get(id: string, version: string): Promise<Uint8Array> {
    return (await this.open(id, version)).transformToByteArray();
  }

  /** The archive as a stream. @throws what `isMissingObject` knows for a version that was deleted */
  async open(id: string, version: string) {
    const { Body } = await this.#s3.send(
      new GetObjectCommand({ Bucket: this.#bucket, Key: key(id, version) }),
    );
    if (!Body) throw new Error(`The archive of ${id} ${version} has no body`);
    return Body;
  }

  /** One call, however many; versions that are not there are no error. */
  async delete(id: string, versions: readonly string[]): Promise<void> {
    if (versions.length === 0) return;
    const Objects = versions.map((version) => ({ Key: key(id, version) }));
    const { Errors: [first] = [] } = await this.#s3.send(
      new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } }),
    );
    if (first) throw new Error(`${first.Key} could not be deleted: ${first.Code} ${first.Message}`);
  }
}

function key(id: string, version: string): string {
  return `sites/${id}/${version}.zip`;
}
