import {
  DeleteObjectCommand,
  DeleteObjectTaggingCommand,
  GetObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { type AssetAttributes, assetKey, PENDING_ASSET } from '../contract/assets.ts';
import type { Clock } from '../platform/clock.ts';
import { isMissingObject } from '../platform/read-object.ts';
import { BEGINNING_BYTES, contentDisposition, realType } from './media-type.ts';

const URL_SECONDS = 15 * 60;
const PENDING_TAG = new URLSearchParams(PENDING_ASSET.tag).toString();

/** A URL of S3 that expires at `expires_at`, in Unix milliseconds. */
interface PresignedUrl {
  readonly url: string;
  readonly expires_at: number;
}

/**
 * The bytes of assets. An object is uploaded once, tagged as pending, and then either kept or discarded: see
 * docs/decisions/0015-once-only-uploads.md.
 */
export class AssetObjects {
  readonly #s3: S3Client;
  readonly #bucket: string;
  readonly #clock: Clock;

  constructor(s3: S3Client, bucket: string, clock: Clock) {
    this.#s3 = s3;
    this.#bucket = bucket;
    this.#clock = clock;
  }

  /** Returns the URL and headers to upload an asset with; they bind the upload to the given type and size. */
  async uploadUrl(assetId: string, { type, size }: AssetAttributes) {
    const headers = {
      ...(type === undefined ? {} : { 'Content-Type': type }),
      'If-None-Match': '*',
      'x-amz-tagging': PENDING_TAG,
    };
    const command = new PutObjectCommand({
      ...this.#object(assetId),
      ContentType: type,
      // A presigned PUT has an exact length or none.
      ContentLength: size,
      IfNoneMatch: headers['If-None-Match'],
      Tagging: headers['x-amz-tagging'],
    });
    const presigned = await this.#presign(command, {
      // The SDK adds a default type to every upload; sign it only if the client declared one.
      signableHeaders: new Set(type === undefined ? [] : ['content-type']),
      // S3 reliably applies the tag only if it is sent as a header.
      unhoistableHeaders: new Set(['x-amz-tagging']),
    });
    return { ...presigned, headers };
  }

  /** Returns the URL to download an asset from, with its own type. */
  downloadUrl(assetId: string, { type = 'application/octet-stream', name }: AssetAttributes) {
    return this.#presign(
      new GetObjectCommand({
        ...this.#object(assetId),
        ResponseContentType: type,
        ResponseContentDisposition: contentDisposition(type, name),
      }),
    );
  }

  /** Returns type and size of an upload, only the size if it is empty, or undefined if there is none. */
  async find(assetId: string): Promise<Pick<AssetAttributes, 'type' | 'size'> | undefined> {
    const Range = `bytes=0-${BEGINNING_BYTES - 1}`;
    try {
      const object = await this.#s3.send(new GetObjectCommand({ ...this.#object(assetId), Range }));
      const beginning = (await object.Body?.transformToByteArray()) ?? new Uint8Array();
      const size = Number(object.ContentRange?.split('/')[1]);
      return { type: realType(object.ContentType ?? '', beginning), size };
    } catch (error) {
      if (isMissingObject(error)) return undefined;
      // S3 rejects every range of an empty object.
      if (error instanceof Error && error.name === 'InvalidRange') return { size: 0 };
      throw error;
    }
  }

  /** Removes the pending tag, so that the object is kept. @returns false if there is no object */
  async keep(assetId: string): Promise<boolean> {
    try {
      await this.#s3.send(new DeleteObjectTaggingCommand(this.#object(assetId)));
      return true;
    } catch (error) {
      if (isMissingObject(error)) return false;
      throw error;
    }
  }

  /**
   * Replaces a pending object by an empty one with the same tag. If it were deleted, the upload URL would accept other
   * bytes while a concurrent `PATCH` is still checking these.
   */
  async discard(assetId: string): Promise<void> {
    await this.#s3.send(
      new PutObjectCommand({ ...this.#object(assetId), ContentLength: 0, Tagging: PENDING_TAG }),
    );
  }

  /** Deletes an object, if it exists. */
  async delete(assetId: string): Promise<void> {
    await this.#s3.send(new DeleteObjectCommand(this.#object(assetId)));
  }

  #object(assetId: string) {
    return { Bucket: this.#bucket, Key: assetKey(assetId) };
  }

  async #presign(
    command: PutObjectCommand | GetObjectCommand,
    headers: Partial<Parameters<typeof getSignedUrl>[2]> = {},
  ): Promise<PresignedUrl> {
    const now = this.#clock();
    const signing = { expiresIn: URL_SECONDS, signingDate: new Date(now), ...headers };
    return { url: await getSignedUrl(this.#s3, command, signing), expires_at: now + URL_SECONDS * 1000 };
  }
}
