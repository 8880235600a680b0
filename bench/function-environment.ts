import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Account } from '../local/cloud/account.ts';
import type { OperatorFile } from '../local/cloud/cloud.ts';
import { bundleFile } from './in-process.ts';

/** Returns the environment in which functions run outside of the local cloud, but on its tables and buckets. */
export function functionEnvironment(stateDir: string, baseUrl: string): Record<string, string> {
  const read = <T>(name: string) => JSON.parse(readFileSync(join(stateDir, name), 'utf8')) as T;
  const { accessKeyId, secretAccessKey, region, endpoint, controlEndpoint, outputs } =
    read<OperatorFile>('operator.json');
  const { tables, buckets } = read<Account>('account.json');
  const named = (list: readonly { name: string }[], part: string) =>
    list.find(({ name }) => name.toLowerCase().includes(part))?.name ?? '';
  return {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_ENDPOINT_URL_CLOUDFRONT: controlEndpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: controlEndpoint,
    DEPLOYMENTS_TABLE: named(tables, 'deployments'),
    RATE_LIMITS_TABLE: named(tables, 'ratelimits'),
    API_KEYS_TABLE: named(tables, 'apikeys'),
    USAGE_TABLE: named(tables, 'usage'),
    VIEWS_TABLE: named(tables, 'views'),
    DATA_TABLE: named(tables, 'datatable'),
    DATA: '{"writesPerMinute":1000000,"creationsPerDay":1000000,"anonymousCreationsPerDay":1000000}',
    OAUTH: '{"issuer":"https://issuer.example","audience":["bench"]}',
    SITES_BUCKET: named(buckets, 'archives'),
    // Any text will do for ids.
    ID_SECRET_ARN: outputs.TokenSecret ?? '',
    TOKEN_SECRET_ARN: outputs.TokenSecret ?? '',
    ORIGIN_SECRET: 'secret',
    WITHDRAWAL_ARN: 'none',
    DELIVERIES_ARN: 'none',
    ALLOW_PRIVATE_WEBHOOKS: 'false',
    GENERATIONS_TABLE: 'none',
    GENERATIONS_BUCKET: 'none',
    BUILD_FUNCTION: 'none',
    BUILD_VERSION: 'none',
    BUILD_SLOTS: '{"kind":"builds","key":2,"anonymous":1,"anonymousTogether":4}',
    BUILDS_BUCKET: 'none',
    LOOK_SKIPPED: 'This is a benchmark',
    ANONYMOUS_DAYS: '30',
    EDGE_SECONDS: '0',
    INVALIDATIONS_PER_MONTH: '900',
    BASE_URL: baseUrl,
    DEPLOY_BUNDLE: bundleFile('lambda/deployments/api.handler.ts'),
    DATA_BUNDLE: bundleFile('lambda/data/api.handler.ts'),
    RATE_LIMIT: '{"windowSeconds":3600,"anonymous":1000000,"key":1000000,"reads":1000000}',
    BYTES_PER_DAY: '{"anonymous":1e15,"anonymousTogether":1e15,"key":1e15}',
    API_GATEWAY_DOOR: 'true',
  };
}
