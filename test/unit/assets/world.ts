import { GetObjectTaggingCommand, HeadObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { AssetObjects } from '../../../lambda/assets/asset-objects.ts';
import { AssetStore } from '../../../lambda/assets/asset-store.ts';
import { assetRoutes } from '../../../lambda/assets/routes.ts';
import {
  type AssetAttributes,
  type AssetRules,
  assetRules,
  type CreatedAsset,
  type ShownAsset,
} from '../../../lambda/contract/assets.ts';
import type { ApiError } from '../../../lambda/contract/errors.ts';
import { apiUrls } from '../../../lambda/http/request.ts';
import { findTarget, router } from '../../../lambda/http/router.ts';
import { newId } from '../../../lambda/platform/new-id.ts';
import type { Table } from '../../../local/cloud/account.ts';
import { indexBy } from '../../support/memory-dynamodb.ts';
import { account, allow, dynamoDbAs, role, s3As, startTestBackend } from '../../support/test-backend.ts';

export const ASSETS = '/api/v1/assets/user-assets/';

/** A PNG signature and some more bytes. */
export const PNG = Buffer.from('\x89PNG\r\n\x1a\nand so on', 'latin1');

/** The attributes of `PNG`. */
export const DECLARED = { type: 'image/png', size: PNG.length };

/** The function's permissions on the objects of assets. */
export const OBJECT_ACTIONS = [
  's3:DeleteObject',
  's3:DeleteObjectTagging',
  's3:GetObject',
  's3:PutObject',
  's3:PutObjectTagging',
];

export type World = Awaited<ReturnType<typeof startWorld>>;

export interface Received<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
}

/** Starts the routes on the local S3, with the function's role, and DynamoDB, with a clock that tests can set. */
export async function startWorld(actions = OBJECT_ACTIONS, rules: AssetRules = assetRules.parse({})) {
  const api = role('Api', allow(actions, 'arn:aws:s3:::bytes/assets/*'));
  const operator = role('Operator', allow(['s3:*', 'dynamodb:*'], '*'));
  const index = indexBy('owner');
  const table: Table = {
    name: 'assets',
    keySchema: [{ AttributeName: 'asset_id', KeyType: 'HASH' }],
    attributes: [{ AttributeName: 'asset_id', AttributeType: 'S' }, ...index.attributes],
    indexes: [...index.GlobalSecondaryIndexes],
  };
  const backend = await startTestBackend(account([api, operator], [{ name: 'bytes', policy: [] }], [table]), {
    indexLagMs: 1,
  });
  let skew = 0;
  const clock = () => Date.now() + skew;
  const s3 = s3As(backend.url, api);
  s3.config.requestChecksumCalculation = async () => 'WHEN_REQUIRED';
  s3.config.responseChecksumValidation = async () => 'WHEN_REQUIRED';
  const db = DynamoDBDocumentClient.from(dynamoDbAs(backend.url, operator), {
    marshallOptions: { removeUndefinedValues: true },
  });
  const assets = new AssetStore(db, 'assets', clock);
  const objects = new AssetObjects(s3, 'bytes', clock);
  const links = { apiUrl: apiUrls('https://ptp.example.com'), cursorSecret: 'secret' };
  const handle = router(assetRoutes(assets, objects, rules, links));

  /** Sends a request of `caller` with `scopes`. */
  async function send<Body = { error: string }>(
    method: string,
    target: string,
    body?: unknown,
    caller = 'key:me',
    scopes: readonly string[] = ['assets:write'],
  ): Promise<Received<Body>> {
    const [path = '', query = ''] = target.split('?');
    const request = {
      id: 'request',
      method,
      path,
      target: findTarget(method, path),
      query: Object.fromEntries(new URLSearchParams(query)),
      stage: 'api',
      headers: { 'content-type': 'application/json' },
      throughDistribution: true,
      rawBody: () => Buffer.from(JSON.stringify(body ?? {})),
      sourceIp: '192.0.2.1',
      receivedAt: clock(),
      caller: {
        id: caller,
        limit: 100,
        credential: { kind: 'key' as const, scopes },
      },
    };
    return handle(request as unknown as Parameters<typeof handle>[0]).then(
      ({ statusCode, body: json, headers = {} }) => ({
        status: statusCode,
        body: json as Body,
        headers,
      }),
      (error: ApiError) => {
        if (error.name !== 'ApiError') throw error;
        return { status: error.status, body: { error: error.message } as Body, headers: error.headers };
      },
    );
  }

  /** Creates an asset. Without a size it is one of an earlier release, which did not require it. */
  const create = async (attributes: AssetAttributes = {}): Promise<CreatedAsset> => {
    if (attributes.size !== undefined) return (await send<CreatedAsset>('POST', ASSETS, { attributes })).body;
    const asset_id = newId();
    await assets.create(asset_id, 'key:me', { attributes });
    const { url, headers, expires_at } = await objects.uploadUrl(asset_id, attributes);
    return { asset_id, upload_url: url, upload_headers: headers, expires_at };
  };
  const keyOf = (asset_id: string) => ({ Bucket: 'bytes', Key: `assets/${asset_id}` });
  const operatorS3 = s3As(backend.url, operator);

  return {
    /** Sets the service's clock `ms` milliseconds ahead of S3's. */
    turn: (ms: number) => {
      skew = ms;
    },
    assets,
    objects,
    db,
    operator: operatorS3,
    send,
    create,
    /** Creates an asset and uploads its bytes. */
    uploaded: async (attributes: AssetAttributes = DECLARED, body?: Buffer | string, type?: string) => {
      const created = await create(attributes);
      expect(await upload(created, body, type === undefined ? {} : { 'Content-Type': type })).toBe(200);
      return created;
    },
    patch: (asset_id: string, body: unknown = {}, caller?: string) =>
      send('PATCH', `${ASSETS}${asset_id}/`, body, caller),
    show: (asset_id: string, caller?: string) =>
      send<ShownAsset & { error: string }>('GET', `${ASSETS}${asset_id}/`, undefined, caller),
    remove: (asset_id: string, caller?: string) => send('DELETE', `${ASSETS}${asset_id}/`, undefined, caller),
    keyOf,
    tagsOf: async (asset_id: string) => (await operatorS3.send(new GetObjectTaggingCommand(keyOf(asset_id)))).TagSet,
    recordOf: async (asset_id: string) =>
      (await db.send(new GetCommand({ TableName: 'assets', Key: { asset_id } }))).Item,
    objectsOf: async (asset_id: string) =>
      (await operatorS3.send(new ListObjectsV2Command({ Bucket: 'bytes', Prefix: keyOf(asset_id).Key }))).KeyCount,
    sizeOf: async (asset_id: string) => (await operatorS3.send(new HeadObjectCommand(keyOf(asset_id)))).ContentLength,
    close: async () => {
      s3.destroy();
      operatorS3.destroy();
      await backend.close();
    },
  };
}

/** Uploads bytes with the returned URL and headers, as a client does. */
export async function upload(
  { upload_url, upload_headers }: CreatedAsset,
  body: Buffer | string = PNG,
  headers: Record<string, string> = {},
): Promise<number> {
  const sent = { ...upload_headers, ...headers };
  return (await fetch(upload_url, { method: 'PUT', body, headers: sent })).status;
}
