import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { HttpMethods } from 'aws-cdk-lib/aws-s3';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { PENDING_ASSET } from '../lambda/contract/assets.ts';
import { ENV } from '../lambda/platform/env.ts';
import type { Access } from './access.ts';
import type { StageConfig } from './config.ts';
import { BundledFunction } from './platform/bundled-function.ts';
import { DataTable, PrivateBucket, type Protection, recoverable } from './platform/storage.ts';

/** User assets: records, objects and the API. */
export class Assets extends Construct {
  readonly api: BundledFunction;
  readonly #records: DataTable;
  readonly #objects: PrivateBucket;

  constructor(scope: Construct, id: string, access: Access, config: Pick<StageConfig, 'assets'> & Protection) {
    super(scope, id);
    this.#records = this.#createRecords(config);
    this.#objects = this.#createObjects();
    this.api = new BundledFunction(this, 'Api', {
      entry: 'assets/api.handler',
      description: 'User assets',
      timeout: Duration.seconds(29),
    });
    access.grantApi(this.api);
    this.api.addEnvironment(ENV.assetRules, JSON.stringify(config.assets));
    this.#connect(this.api);
    this.#records.grant(this.api, 'dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem');
    this.#records.grantList(this.api);
    // A presigned URL has the permissions of its signer: an upload puts an object with a tag.
    this.#objects.grantObjects(
      this.api,
      'assets/*',
      's3:DeleteObject',
      's3:DeleteObjectTagging',
      's3:GetObject',
      's3:PutObject',
      's3:PutObjectTagging',
    );
  }

  /** Lets a function read assets and their bytes. */
  grantRead(fn: BundledFunction): void {
    this.#connect(fn);
    this.#records.grant(fn, 'dynamodb:GetItem');
    this.#objects.grantObjects(fn, 'assets/*', 's3:GetObject');
  }

  #connect(fn: BundledFunction): void {
    fn.addEnvironment(ENV.assetsTable, this.#records.tableName);
    fn.addEnvironment(ENV.assetsBucket, this.#objects.bucketName);
  }

  #createRecords(protection: Protection): DataTable {
    return new DataTable(this, 'Records', protection, {
      partitionKey: { name: 'asset_id', type: AttributeType.STRING },
      // Only pending assets have this attribute.
      timeToLiveAttribute: 'expiresAt',
      listedBy: 'owner',
    });
  }

  #createObjects(): PrivateBucket {
    return new PrivateBucket(this, 'Objects', {
      versioned: true,
      lifecycleRules: [
        recoverable('assets/'),
        // No record references an upload that was never completed.
        {
          tagFilters: PENDING_ASSET.tag,
          expiration: Duration.days(PENDING_ASSET.days),
          noncurrentVersionExpiration: Duration.days(1),
        },
      ],
      // Presigned URLs are the only access control, so pages of every origin may use them.
      cors: [
        {
          allowedOrigins: ['*'],
          allowedMethods: [HttpMethods.PUT, HttpMethods.GET],
          allowedHeaders: ['*'],
          exposedHeaders: ['ETag'],
          maxAge: 7200,
        },
      ],
    });
  }
}
