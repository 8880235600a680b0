import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { BuildReport, BuildVariables } from '../contract/builds.ts';
import { CLOCKS_APART_MS } from '../platform/clock.ts';
import { isMissingObject, readObject } from '../platform/read-object.ts';
import { archiveKey, builtKey, lookKey } from '../sites/archive.ts';
import { splitHeader } from '../sites/source/build.ts';
import type { Version } from '../stored/deployment.ts';
import { type Look, type LookLine, type NoLook, packLook, readLook, readLookLine } from '../stored/looks/looker.ts';

/** More than the first line of a built object has: 400 packages with their versions, bounded warnings and 4 KB of variables. */
const REPORT_BYTES = 262_144;

/**
 * What is read of a look: nearly all have their line in the first bytes. The most is more than the line has: 20 problems of 300
 * characters and a path, escaped.
 */
const LOOK_BYTES = [8_192, 262_144];

/** How long a presigned URL is valid: a minute, even if the clock of the function is behind that of S3. */
const URL_SECONDS = 60 + CLOCKS_APART_MS / 1_000;

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
 * second object beside it, and what a browser saw of it, later, a third one.
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

  /** Returns the archive of what visitors see: the files of a version, or what was built of them; undefined if it was deleted. */
  async site(id: string, { version, built }: Version): Promise<Uint8Array | undefined> {
    if (built === undefined) return this.get(id, version);
    const stored = await readObject(this.#s3, this.#bucket, builtKey(id, version));
    return stored && splitHeader(stored).rest;
  }

  /** Returns the report of a version that was built, or undefined if the version was deleted. */
  async report(id: string, version: string): Promise<StoredReport | undefined> {
    const start = await this.#start(builtKey(id, version), REPORT_BYTES);
    return start && (splitHeader(start).header as StoredReport);
  }

  /** Stores what a browser saw of a version. */
  async putLook(id: string, version: string, look: Look | NoLook): Promise<void> {
    await this.#put(lookKey(id, version), packLook(look), 'application/octet-stream');
  }

  /** Returns what a browser saw of a version, without the pictures; undefined if it has not looked. */
  async look(id: string, version: string): Promise<LookLine | undefined> {
    for (const bytes of LOOK_BYTES) {
      const start = await this.#start(lookKey(id, version), bytes);
      const line = start && readLookLine(start);
      if (line || !start) return line;
    }
    throw new Error(`The look at ${id}/${version} has no line`);
  }

  /** Returns the pictures of what a browser saw of a version, by width; undefined without any. */
  async pictures(id: string, version: string): Promise<Look['screenshots'] | undefined> {
    const stored = await readObject(this.#s3, this.#bucket, lookKey(id, version));
    const look = stored && readLook(stored);
    return look?.state === 'looked' ? look.screenshots : undefined;
  }

  /** Returns a URL of the archive of a version that is valid for six minutes, for a download as `<id>.zip`. */
  presign(id: string, version: string): Promise<string> {
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: archiveKey(id, version),
      ResponseContentDisposition: `attachment; filename="${id}.zip"`,
    });
    return getSignedUrl(this.#s3, command, { expiresIn: URL_SECONDS });
  }

  /** Deletes what a browser saw of a version. */
  async deleteLook(id: string, version: string): Promise<void> {
    await this.#s3.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: lookKey(id, version) }));
  }

  /** Returns the first bytes of an object, or undefined if it does not exist. */
  async #start(Key: string, bytes: number): Promise<Uint8Array | undefined> {
    try {
      const Range = `bytes=0-${bytes - 1}`;
      const { Body } = await this.#s3.send(new GetObjectCommand({ Bucket: this.#bucket, Key, Range }));
      return (await Body?.transformToByteArray()) ?? new Uint8Array();
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
      { Key: lookKey(id, version) },
      ...(built === undefined ? [] : [{ Key: builtKey(id, version) }]),
    ]);
    const { Errors: [first] = [] } = await this.#s3.send(
      new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } }),
    );
    if (first) throw new Error(`${first.Key} could not be deleted: ${first.Code} ${first.Message}`);
  }
}
