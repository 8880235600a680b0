import { OAuthScope, ResourceServerScope, UserPool } from 'aws-cdk-lib/aws-cognito';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Aws, CfnOutput, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { OAuthConfig } from '../lambda/contract/oauth.ts';
import { ASSETS_SCOPE } from '../lambda/contract/operations.ts';
import { CANARY_KEY_ID, ENV, STAGE_KEY } from '../lambda/platform/env.ts';
import type { StageConfig } from './config.ts';
import type { BundledFunction } from './platform/bundled-function.ts';
import { DataTable, type Protection } from './platform/storage.ts';

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

  /** Lets a function behind API Gateway count addresses, which have no credential. */
  grantVisitors(fn: BundledFunction): void {
    this.#apiFunctions.push(fn);
    fn.emitMetrics();
    fn.addEnvironment(ENV.rateLimitsTable, this.windows.tableName);
    fn.addEnvironment(ENV.rateLimit, JSON.stringify(this.#config.rateLimit));
    fn.addEnvironment(ENV.originSecret, this.originSecret.secretValue.unsafeUnwrap());
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

  /** Lets a function take and free slots of what runs at the same time: see `RunningSlots`. */
  grantSlots(fn: BundledFunction): void {
    fn.addEnvironment(ENV.rateLimitsTable, this.windows.tableName);
    this.windows.grant(fn, 'dynamodb:GetItem');
    this.windows.grant(fn, 'dynamodb:UpdateItem');
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

/** The usage of callers with a credential, by day and operation. */
class Usage extends Construct {
  readonly table: TableV2;

  constructor(scope: Construct, id: string, protection: Protection) {
    super(scope, id);
    this.table = new DataTable(this, 'Table', protection, {
      partitionKey: { name: 'caller', type: AttributeType.STRING },
      sortKey: { name: 'dayOperation', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiresAt',
    });
  }

  grantRecord(fn: LambdaFunction): void {
    fn.addEnvironment(ENV.usageTable, this.table.tableName);
    this.table.grant(fn, 'dynamodb:UpdateItem');
  }

  grantRead(fn: LambdaFunction): void {
    fn.addEnvironment(ENV.usageTable, this.table.tableName);
    this.table.grant(fn, 'dynamodb:Query');
  }
}

/** Identifier of the resource server, which Cognito prepends to every scope. */
const SCOPE_PREFIX = 'ptp';

/** The issuer of access tokens, if there is one: the configured one, or a Cognito user pool. */
export class OAuth extends Construct {
  readonly #config: OAuthConfig | undefined;

  constructor(scope: Construct, id: string, config: StageConfig['oauth']) {
    super(scope, id);
    this.#config = config === 'cognito' ? this.#cognito() : config;
  }

  /** Lets a function verify tokens. It needs no permission, since the issuer's keys are public. */
  grant(fn: LambdaFunction): void {
    if (this.#config) fn.addEnvironment(ENV.oauth, Stack.of(this).toJsonString(this.#config));
  }

  /** Creates one client with the client credentials grant (RFC 6749, 4.4); tokens for users need another issuer. */
  #cognito(): OAuthConfig {
    const pool = new UserPool(this, 'UserPool', {
      selfSignUpEnabled: false,
      // It has no users, and its client is useless without the stack.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const write = new ResourceServerScope({
      scopeName: ASSETS_SCOPE,
      scopeDescription: 'Create, describe and delete assets',
    });
    const server = pool.addResourceServer('Api', { identifier: SCOPE_PREFIX, scopes: [write] });
    const client = pool.addClient('Client', {
      generateSecret: true,
      oAuth: { flows: { clientCredentials: true }, scopes: [OAuthScope.resourceServer(server, write)] },
    });
    // The prefix must be unique in the region and must not contain words such as aws, which a stack name may contain.
    const stackUuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
    const domain = pool.addDomain('Domain', { cognitoDomain: { domainPrefix: `ptp-${stackUuid}` } });

    this.#output('TokenUrl', `${domain.baseUrl()}/oauth2/token`, 'The token endpoint of the OAuth client');
    this.#output('OAuthClientId', client.userPoolClientId, 'The OAuth client; Cognito has its secret');
    this.#output('UserPoolId', pool.userPoolId, 'The user pool of the OAuth client');
    const issuer = `https://${pool.userPoolProviderName}`;
    return {
      issuer,
      audience: [client.userPoolClientId],
      scopePrefix: SCOPE_PREFIX,
      jwksUri: `${issuer}/.well-known/jwks.json`,
    };
  }

  #output(id: string, value: string, description: string): void {
    new CfnOutput(Stack.of(this), id, { value, description });
  }
}
