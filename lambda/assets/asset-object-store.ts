import {
  DeleteObjectCommand,
  DeleteObjectTaggingCommand,
  GetObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { type AssetAttributes, PENDING_ASSET } from '../contract/assets.ts';
import type { Clock } from '../platform/clock.ts';
import { isMissingObject } from '../platform/missing-object.ts';
import { BEGINNING_BYTES, contentDisposition, realType } from './media-type.ts';

const URL_SECONDS = 15 * 60;
const PENDING_TAG = new URLSearchParams(PENDING_ASSET.tag).toString();

/** A URL that S3 answers until `expires_at`, in Unix milliseconds. */
interface PresignedUrl {
  readonly url: string;
  readonly expires_at: number;
}

/**
 * The bytes of assets. An object is uploaded once, whole and tagged as pending, and then stays as it is or is
 * discarded: see docs/decisions/0015-once-only-uploads.md.
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

  /** Where to `PUT` an asset's bytes, and the headers to send; bound to type and size where they are given. */
  async uploadUrl(assetId: string, { type, size }: AssetAttributes) {
    const headers = {
      ...(type === undefined ? {} : { 'Content-Type': type }),
      'If-None-Match': '*',
      'x-amz-tagging': PENDING_TAG,
    };
    const command = new PutObjectCommand({
      ...this.#object(assetId),
      ContentType: type,
      // A presigned PUT is bound to one length or to none: without a size, S3 takes 5 GiB until PATCH discards it.
      ContentLength: size,
      IfNoneMatch: headers['If-None-Match'],
      Tagging: headers['x-amz-tagging'],
    });
    const presigned = await this.#presign(command, {
      // The SDK gives every upload a type: the client's own is only bound to one that was said.
      signableHeaders: new Set(type === undefined ? [] : ['content-type']),
      // S3 is only certain to tag what comes with a header.
      unhoistableHeaders: new Set(['x-amz-tagging']),
    });
    return { ...presigned, headers };
  }

  /** Where to `GET` an asset's bytes, as the type they have. */
  downloadUrl(assetId: string, { type = 'application/octet-stream', name }: AssetAttributes) {
    return this.#presign(
      new GetObjectCommand({
        ...this.#object(assetId),
        ResponseContentType: type,
        ResponseContentDisposition: contentDisposition(type, name),
      }),
    );
  }

  /** Type and size of what was uploaded, an empty object being of no type; undefined when nothing was. */
  async find(assetId: string): Promise<Pick<AssetAttributes, 'type' | 'size'> | undefined> {
    const Range = `bytes=0-${BEGINNING_BYTES - 1}`;
    try {
      const object = await this.#s3.send(new GetObjectCommand({ ...this.#object(assetId), Range }));
      const beginning = (await object.Body?.transformToByteArray()) ?? new Uint8Array();
      const size = Number(object.ContentRange?.split('/')[1]);
      return { type: realType(object.ContentType ?? '', beginning), size };
    } catch (error) {
      if (isMissingObject(error)) return undefined;
      // No range of an empty object can be had.
      if (error instanceof Error && error.name === 'InvalidRange') return { size: 0 };
      throw error;
    }
  }

  /** Lets an object stay. @returns false when there is none */
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
   * Deletes the bytes of a pending asset but keeps their place taken by an empty object that is tagged as they were: in
   * an empty place the upload URL would put other bytes, under the eyes of a `PATCH` that still judges these.
   */
  async discard(assetId: string): Promise<void> {
    await this.#s3.send(
      new PutObjectCommand({ ...this.#object(assetId), ContentLength: 0, Tagging: PENDING_TAG }),
    );
  }

  /** Deletes an object, if there is one. */
  async delete(assetId: string): Promise<void> {
    await this.#s3.send(new DeleteObjectCommand(this.#object(assetId)));
  }

  #object(assetId: string) {
    return { Bucket: this.#bucket, Key: `assets/${assetId}` };
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
