import { RemovalPolicy, type SecretValue } from 'aws-cdk-lib';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { ENV } from '../../lambda/platform/env.ts';
import type { StageConfig } from '../config.ts';
import { OAuth } from './oauth.ts';
import { Usage } from './usage.ts';

/** Who calls, how often they may and what they did: keys, tokens, rate limit windows, usage, and what proves the front door. */
export class Access extends Construct {
  readonly keys: TableV2;
  readonly usage: Usage;
  /** Sent by the distribution to the API, so that the address it reports is believed. */
  readonly originSecret: SecretValue;
  readonly #windows: TableV2;
  readonly #oauth: OAuth;
  readonly #rateLimit: StageConfig['rateLimit'];
  readonly #apiFunctions: LambdaFunction[] = [];

  constructor(scope: Construct, id: string, { rateLimit, oauth }: Pick<StageConfig, 'rateLimit' | 'oauth'>) {
    super(scope, id);
    this.#rateLimit = rateLimit;
    this.usage = new Usage(this, 'Usage');
    this.#oauth = new OAuth(this, 'OAuth', oauth);
    this.keys = new TableV2(this, 'ApiKeys', {
      partitionKey: { name: 'id', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.#windows = new TableV2(this, 'RateLimits', {
      partitionKey: { name: 'caller', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      timeToLiveAttribute: 'expiresAt',
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.originSecret = generatedSecret(
      this,
      'OriginSecret',
      'Proves that a request came through the distribution',
    );
  }

  /** Lets an API handler tell callers apart, count them, tell them what is left and record what they do. */
  grantApi(fn: LambdaFunction): void {
    this.grantCount(fn);
    this.usage.grantRecord(fn);
    this.#windows.grant(fn, 'dynamodb:GetItem');
  }

  /** Tells every function that answers callers the base URL. The distribution, which has it, is made after them. */
  publishAt(baseUrl: string): void {
    for (const fn of this.#apiFunctions) fn.addEnvironment(ENV.baseUrl, baseUrl);
  }

  /** Lets a function tell callers apart and count their requests. */
  grantCount(fn: LambdaFunction): void {
    this.#apiFunctions.push(fn);
    fn.addEnvironment(ENV.apiKeysTable, this.keys.tableName);
    fn.addEnvironment(ENV.rateLimitsTable, this.#windows.tableName);
    fn.addEnvironment(ENV.rateLimit, JSON.stringify(this.#rateLimit));
    // In the function's configuration rather than fetched: a call to Secrets Manager would double a cold start.
    fn.addEnvironment(ENV.originSecret, this.originSecret.unsafeUnwrap());
    this.keys.grant(fn, 'dynamodb:GetItem');
    this.#oauth.grant(fn);
    this.#windows.grant(fn, 'dynamodb:UpdateItem');
  }
}

/**
 * A random value that nobody has to type. CloudFormation puts it where it is used: whoever may read the configuration of
 * the functions and of the distribution can read it there.
 */
export function generatedSecret(
  scope: Construct,
  id: string,
  description: string,
  removalPolicy = RemovalPolicy.DESTROY,
): SecretValue {
  return new Secret(scope, id, {
    description,
    removalPolicy,
    generateSecretString: { passwordLength: 48, excludePunctuation: true },
  }).secretValue;
}
