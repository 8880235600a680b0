import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';

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
    const { Body } = await this.#s3.send(
      new GetObjectCommand({ Bucket: this.#bucket, Key: key(id, version) }),
    );
    if (!Body) throw new Error(`The archive of ${id} ${version} has no body`);
    return Body.transformToByteArray();
  }
}

function key(id: string, version: string): string {
  return `sites/${id}/${version}.zip`;
}
