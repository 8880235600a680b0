import { addAbortSignal, type Readable } from 'node:stream';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../platform/clock.ts';
import { isMissingObject } from '../platform/read-object.ts';
import { archiveKey, builtKey, lookKey } from '../sites/archive.ts';
import { splitHeader } from '../sites/source/build.ts';
import { type Deployment, readDeployment, type Version } from '../stored/deployment.ts';
import type { Look } from '../stored/looks/looker.ts';
import { readLook } from '../stored/looks/stored-look.ts';

/** Ten times what 10 MB take in a function of 512 MB. */
const BODY_MS = 2_000;

/** The clients, table and bucket of deployments and their archives. */
export interface SiteStoreOptions {
  readonly db: DynamoDBDocumentClient;
  readonly table: string;
  readonly s3: S3Client;
  readonly bucket: string;
  readonly clock: Clock;
}

/** Reads pointers and archives for visits. */
export class SiteStore {
  readonly #options: SiteStoreOptions;

  constructor(options: SiteStoreOptions) {
    this.#options = options;
  }

  find(id: string): Promise<Deployment | undefined> {
    const { db, table, clock } = this.#options;
    return readDeployment(db, table, id, clock());
  }

  /**
   * Reads the whole archive of what visitors see: the files of a version, or what was built of them.
   * @throws AbortError if its body takes too long: the client's timeouts end with the headers
   */
  async archive(id: string, { version, built }: Pick<Version, 'version' | 'built'>): Promise<Uint8Array> {
    const bytes = await this.#read(built === undefined ? archiveKey(id, version) : builtKey(id, version));
    return built === undefined ? bytes : splitHeader(bytes).rest;
  }

  /** Reads what a browser saw of a version, with its pictures; undefined if it did not look. */
  async look(id: string, version: string): Promise<Look | undefined> {
    try {
      const look = readLook(await this.#read(lookKey(id, version)));
      return look.state === 'looked' ? look : undefined;
    } catch (error) {
      if (!isMissingObject(error)) throw error;
      return undefined;
    }
  }

  /**
   * Opens the archive with the files of a version as a stream.
   * @throws an error that `isMissingObject` recognizes for a version that was deleted
   */
  openArchive(id: string, version: string) {
    return this.#open(archiveKey(id, version));
  }

  async #read(key: string): Promise<Uint8Array> {
    const body = await this.#open(key);
    addAbortSignal(AbortSignal.timeout(BODY_MS), body as Readable);
    return body.transformToByteArray();
  }

  async #open(Key: string) {
    const { s3, bucket } = this.#options;
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
    if (!Body) throw new Error(`${Key} has no body`);
    return Body;
  }
}
