import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { BUILD_LIMITS } from '../../contract/limits.ts';
import { log } from '../../platform/log.ts';
import { readObject } from '../../platform/read-object.ts';

/**
 * Archives of packages that the registry sent before, under their own hash: `sha512-…` (Subresource Integrity). What it
 * returns is verified each time, so that a replaced object is as good as none.
 */
export interface PackageStore {
  get(integrity: string): Promise<Uint8Array | undefined>;
  put(integrity: string, archive: Uint8Array): Promise<void>;
}

const SHA512 = /^sha512-([A-Za-z0-9+/]{86}==)$/;

/**
 * Packages in S3, for all tenants: `packages/<sha512 as hex>.tgz`. Only archives with a sha512 are stored: each is
 * verified when it is read, so that an instance that was taken over can replace none, and larger ones than a build may
 * use are not read. A store that fails is slower, but no error.
 */
export class PackageObjects implements PackageStore {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  async get(integrity: string): Promise<Uint8Array | undefined> {
    const key = keyOf(integrity);
    if (key === undefined) return undefined;
    return readObject(this.#s3, this.#bucket, key, BUILD_LIMITS.packedBytes).catch((error: unknown) =>
      logged('package not read', error),
    );
  }

  async put(integrity: string, archive: Uint8Array): Promise<void> {
    const Key = keyOf(integrity);
    if (Key === undefined) return;
    const put = new PutObjectCommand({ Bucket: this.#bucket, Key, Body: archive });
    await this.#s3.send(put).catch((error: unknown) => logged('package not stored', error));
  }
}

function keyOf(integrity: string): string | undefined {
  const [, base64] = SHA512.exec(integrity) ?? [];
  return base64 === undefined ? undefined : `packages/${Buffer.from(base64, 'base64').toString('hex')}.tgz`;
}

function logged(event: string, error: unknown): undefined {
  log.error(event, { error });
  return undefined;
}
