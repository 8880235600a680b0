import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { archiveKey } from '../sites/archive.ts';
import { type Deployment, readDeployment } from '../stored/deployment.ts';

/** The clients, table and bucket of deployments and their archives. */
export interface SiteStorePorts {
  readonly db: DynamoDBDocumentClient;
  readonly table: string;
  readonly s3: S3Client;
  readonly bucket: string;
}

/** Reads pointers and archives for visits. */
export class SiteStore {
  readonly #ports: SiteStorePorts;

  constructor(ports: SiteStorePorts) {
    this.#ports = ports;
  }

  find(id: string): Promise<Deployment | undefined> {
    return readDeployment(this.#ports.db, this.#ports.table, id);
  }

  async archive(id: string, version: string): Promise<Uint8Array> {
    return (await this.openArchive(id, version)).transformToByteArray();
  }

  /** Opens an archive as a stream. @throws an error that `isMissingObject` recognizes for a version that was deleted */
  async openArchive(id: string, version: string) {
    const { s3, bucket } = this.#ports;
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: archiveKey(id, version) }));
    if (!Body) throw new Error(`The archive of ${id} ${version} has no body`);
    return Body;
  }
}
