import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { CANARY_KEY_ID, ENV, STAGE_KEY } from '../../lambda/platform/env.ts';
import type { StageConfig } from '../config.ts';
import type { BundledFunction } from '../platform/bundled-function.ts';
import { DataTable, type Protection } from '../platform/data-table.ts';
import { OAuth } from './oauth.ts';
import { Usage } from './usage.ts';

type AccessConfig = Pick<StageConfig, 'rateLimit' | 'bytesPerDay' | 'apiGatewayDoor' | 'oauth'> & Protection;

/** Identifies and limits callers: API keys, tokens, rate limit windows, usage, and the secret of the front door. */
export class Access extends Construct {
  readonly keys: TableV2;
  readonly usage: Usage;
  /** Sent by the distribution to the API, which trusts the viewer address of such requests only. */
  readonly originSecret: Secret;
  /** Windows of callers, and the state of the stage. */
  readonly windows: TableV2;
  readonly #oauth: OAuth;
  readonly #config: AccessConfig;
  readonly #apiFunctions: BundledFunction[] = [];

  constructor(scope: Construct, id: string, config: AccessConfig) {
    super(scope, id);
    const { oauth } = config;
    this.#config = config;
    this.usage = new Usage(this, 'Usage', config);
    this.#oauth = new OAuth(this, 'OAuth', oauth);
    this.keys = new DataTable(this, 'ApiKeys', config, {
      partitionKey: { name: 'id', type: AttributeType.STRING },
    });
    this.windows = new TableV2(this, 'RateLimits', {
      partitionKey: { name: 'caller', type: AttributeType.STRING },
      billing: Billing.onDemand(config.tables),
      timeToLiveAttribute: 'expiresAt',
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.originSecret = new Secret(this, 'OriginSecret', {
      description: 'Proves that a request came through the distribution',
      removalPolicy: RemovalPolicy.DESTROY,
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
    });
  }

  /** Lets an API function identify callers, count their requests, report their remaining limit and record usage. */
  grantApi(fn: BundledFunction): void {
    this.grantCount(fn);
    this.usage.grantRecord(fn);
  }

  /** Lets a function close what a caller has used up: see `StageState`. */
  grantClose(fn: BundledFunction): void {
    fn.addEnvironment(ENV.rateLimitsTable, this.windows.tableName);
    this.windows.grant(fn, 'dynamodb:UpdateItem');
  }

  /** Sets the base URL in all API functions; the distribution that defines it depends on them. */
  publishAt(baseUrl: string): void {
    for (const fn of this.#apiFunctions) fn.addEnvironment(ENV.baseUrl, baseUrl);
  }

  /** Lets a function identify callers and count their requests. */
  grantCount(fn: BundledFunction): void {
    this.#apiFunctions.push(fn);
    fn.emitMetrics();
    fn.addEnvironment(ENV.apiKeysTable, this.keys.tableName);
    fn.addEnvironment(ENV.rateLimitsTable, this.windows.tableName);
    fn.addEnvironment(ENV.rateLimit, JSON.stringify(this.#config.rateLimit));
    fn.addEnvironment(ENV.bytesPerDay, JSON.stringify(this.#config.bytesPerDay));
    fn.addEnvironment(ENV.apiGatewayDoor, JSON.stringify(this.#config.apiGatewayDoor));
    // In the environment, because the distribution has it as well. The state of the stage says what a rotation changed.
    fn.addEnvironment(ENV.originSecret, this.originSecret.secretValue.unsafeUnwrap());
    this.keys.grant(fn, 'dynamodb:GetItem');
    this.#oauth.grant(fn);
    this.windows.grant(fn, 'dynamodb:GetItem');
    this.windows.grant(fn, 'dynamodb:UpdateItem');
  }

  /** Lets the canary renew its own API key, and read which features the operator has closed: one item of each table. */
  grantCanary(fn: BundledFunction): void {
    fn.addEnvironment(ENV.apiKeysTable, this.keys.tableName);
    fn.addEnvironment(ENV.rateLimitsTable, this.windows.tableName);
    grantItem(fn, this.keys, 'dynamodb:PutItem', CANARY_KEY_ID);
    grantItem(fn, this.windows, 'dynamodb:GetItem', STAGE_KEY);
  }

  /** Lets a function count the zip files that an address downloads. */
  grantZips(fn: BundledFunction): void {
    fn.addEnvironment(ENV.rateLimitsTable, this.windows.tableName);
    fn.addEnvironment(ENV.rateLimit, JSON.stringify(this.#config.rateLimit));
    this.windows.grant(fn, 'dynamodb:UpdateItem');
  }
}

/** @param key the partition key of the item */
function grantItem(fn: BundledFunction, { tableArn }: TableV2, action: string, key: string): void {
  fn.addToRolePolicy(
    new PolicyStatement({
      actions: [action],
      resources: [tableArn],
      conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [key] } },
    }),
  );
}
