import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';

/** An archive that no deployment names is kept this long: the deploy that wrote it may be about to. */
const ORPHAN_MS = 3_600_000;

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

  /** Deletes these versions, and what deploys that did not get to their end have left. */
  async sweep(
    id: string,
    versions: { readonly obsolete: readonly string[]; readonly kept: readonly string[] },
    now: number,
  ): Promise<void> {
    const keep = new Set(versions.kept.map((version) => key(id, version)));
    const drop = new Set(versions.obsolete.map((version) => key(id, version)));
    const { Contents = [] } = await this.#s3.send(
      new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: key(id) }),
    );
    const Objects = Contents.flatMap(({ Key = '', LastModified }) => {
      const orphaned = !keep.has(Key) && Number(LastModified) < now - ORPHAN_MS;
      return drop.has(Key) || orphaned ? [{ Key }] : [];
    });
    if (Objects.length === 0) return;
    const { Errors = [] } = await this.#s3.send(
      new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } }),
    );
    const [first] = Errors;
    if (first) throw new Error(`${first.Key} could not be deleted: ${first.Code} ${first.Message}`);
  }
}

function key(id: string, version?: string): string {
  return `sites/${id}/${version === undefined ? '' : `${version}.zip`}`;
}
