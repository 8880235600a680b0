import {
  DeleteObjectCommand,
  DeleteObjectTaggingCommand,
  GetObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { type AssetAttributes, assetKey, MEDIA_TYPE, PENDING_ASSET } from '../contract/assets.ts';
import type { Clock } from '../platform/clock.ts';
import { isMissingObject } from '../platform/read-object.ts';

const URL_SECONDS = 15 * 60;
const PENDING_TAG = new URLSearchParams(PENDING_ASSET.tag).toString();

/** The type of unknown bytes (RFC 9110, 8.3). */
const UNKNOWN = 'application/octet-stream';

/**
 * A Content-Type (RFC 9110, 8.3.1), with the media type as its group. Commas outside of quotes are rejected: a client
 * that parses the header as a list could find another type in it.
 */
const CONTENT_TYPE = /^([^\s;]+)(?:[ \t]*;(?:[ \t]*[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*"))?)*$/;

/**
 * File signatures (WHATWG MIME Sniffing, section 6) as Latin-1, each with its possible media types, the default first.
 * Only unambiguous signatures: Ogg and MP4 are containers of many types.
 */
const SIGNATURES: readonly (readonly [RegExp, readonly [string, ...string[]]])[] = [
  [/^\x89PNG\r\n/, ['image/png', 'image/apng']],
  [/^\xff\xd8\xff/, ['image/jpeg', 'image/jpg', 'image/pjpeg']],
  [/^GIF8[79]a/, ['image/gif']],
  [/^RIFF.{4}WEBP/s, ['image/webp']],
  [/^RIFF.{4}WAVE/s, ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave']],
  [/^fLaC/, ['audio/flac', 'audio/x-flac']],
  [/^%PDF-/, ['application/pdf']],
  [/^wOFF/, ['font/woff']],
  [/^wOF2/, ['font/woff2']],
  [/^(\xef\xbb\xbf)?\s*<(svg|\?xml|!doctype svg)/i, ['image/svg+xml']],
  // An SVG may begin with a comment.
  [/^(\xef\xbb\xbf)?\s*<[a-z!]/i, ['text/html', 'image/svg+xml']],
];

/** Number of bytes that `realType` needs. */
const BEGINNING_BYTES = 256;

/**
 * Types that browsers display without executing scripts. An allowlist, because browsers treat every type that ends in
 * `+xml` as a document with scripts.
 */
const INLINE = new Set([
  ...['apng', 'avif', 'bmp', 'gif', 'jpeg', 'png', 'webp'].map((subtype) => `image/${subtype}`),
  ...['aac', 'flac', 'mp4', 'mpeg', 'ogg', 'wav', 'webm'].map((subtype) => `audio/${subtype}`),
  ...['mp4', 'ogg', 'webm'].map((subtype) => `video/${subtype}`),
  ...['otf', 'ttf', 'woff', 'woff2'].map((subtype) => `font/${subtype}`),
  'application/pdf',
]);

/** A URL of S3 that expires at `expires_at`, in Unix milliseconds. */
interface PresignedUrl {
  readonly url: string;
  readonly expires_at: number;
}

/**
 * The bytes of assets. An object is uploaded once, tagged as pending, and then either kept or discarded: see
 * docs/decisions/0006-large-bodies.md.
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
    await this.#s3.send(new PutObjectCommand({ ...this.#object(assetId), ContentLength: 0, Tagging: PENDING_TAG }));
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

/** Returns the Content-Disposition (RFC 6266) that is safe for a file of this type. */
export function contentDisposition(type: string, name: string | undefined): string {
  const disposition = INLINE.has(type) ? 'inline' : 'attachment';
  return name === undefined ? disposition : `${disposition}; filename*=UTF-8''${extendedValue(name)}`;
}

/** Encodes as in RFC 8187, 3.2.1, which does not allow these four characters that encodeURIComponent keeps. */
function extendedValue(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Returns the media type of a file by its signature; without a known one, the type it was sent with. */
export function realType(contentType: string, beginning: Uint8Array): string {
  const sent = mediaType(contentType);
  const text = Buffer.from(beginning).toString('latin1');
  const [, types] = SIGNATURES.find(([pattern]) => pattern.test(text)) ?? [];
  return types === undefined || types.includes(sent) ? sent : types[0];
}

/** Returns the media type of a Content-Type, or `UNKNOWN` for an invalid one. */
function mediaType(contentType: string): string {
  const [, type = ''] = CONTENT_TYPE.exec(contentType.trim()) ?? [];
  return MEDIA_TYPE.test(type) ? type.toLowerCase() : UNKNOWN;
}
