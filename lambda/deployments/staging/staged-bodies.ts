import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { nanoid } from 'nanoid';
import type { ApiRequest } from '../../http/request.ts';
import { collect, isMissingObject } from '../../platform/read-object.ts';
import { ANONYMOUS, type Sender } from '../../stored/deployment-owner.ts';

/** Headers of the original request that are kept in the object's metadata. */
const KEPT = ['if-match', 'idempotency-key'];

/** A stored body, whose bytes are read on demand. */
interface StagedBody {
  /** The headers that were stored with the body. */
  readonly headers: ApiRequest['headers'];
  /** Reads the bytes, once. */
  readonly read: () => Promise<Buffer>;
  /** Ends the transfer of bytes that were not read. */
  readonly close: () => void;
}

/** Reads the bodies that API Gateway stored in S3, because they may exceed a Lambda event. They are kept for a day. */
export class StagedBodies {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  /** Returns a body, or undefined if there is none. @param id from `newStagedId` */
  async open(id: string): Promise<StagedBody | undefined> {
    try {
      const object = await this.#s3.send(new GetObjectCommand({ Bucket: this.#bucket, Key: `staged/${id}` }));
      const { ContentType, ContentEncoding, ContentLength = 0, Metadata = {} } = object;
      const stream = object.Body as Readable;
      const kept = KEPT.flatMap((name) => (Metadata[name] ? [[name, Metadata[name]] as const] : []));
      const headers = {
        ...(ContentType ? { 'content-type': ContentType } : {}),
        ...(ContentEncoding ? { 'content-encoding': ContentEncoding } : {}),
        ...Object.fromEntries(kept),
      };
      return { headers, read: () => collect(stream, ContentLength), close: () => stream.destroy() };
    } catch (error) {
      if (!isMissingObject(error)) throw error;
      return undefined;
    }
  }
}

/** A digest of the sender's credentials and 21 random characters, all unreserved in URLs (RFC 3986, 2.3). */
const STAGED_ID = /^([\w-]{43})-[\w-]{21}$/;

/**
 * Returns an unguessable id for a stored body, bound to its sender. API Gateway's request id is neither, because a client
 * can set it with `x-amzn-RequestId`.
 */
export function newStagedId(sender: Sender): string {
  return `${digest(sender)}-${nanoid()}`;
}

/**
 * Returns the owner of a staged body, or undefined if `sender` may not use it. Anyone who knows its id may use a body
 * that was sent without credentials.
 */
export function stagedOwner(id: string, sender: Sender): string | undefined {
  const bound = STAGED_ID.exec(id)?.[1];
  if (bound === digest(sender)) return sender.owner;
  return bound === digest({ owner: ANONYMOUS, token: undefined }) ? ANONYMOUS : undefined;
}

function digest({ owner, token }: Sender): string {
  return createHash('sha256')
    .update(JSON.stringify([owner, token ?? null]))
    .digest('base64url');
}
