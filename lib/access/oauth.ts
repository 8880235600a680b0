import { Aws, CfnOutput, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { OAuthScope, ResourceServerScope, UserPool } from 'aws-cdk-lib/aws-cognito';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { OAuthConfig } from '../../lambda/contract/oauth.ts';
import { ASSETS_SCOPE } from '../../lambda/contract/operations.ts';
import { ENV } from '../../lambda/platform/env.ts';

/** Identifier of the resource server: Cognito writes it before every scope. */
const SCOPE_PREFIX = 'ptp';

/** Whose access tokens are taken: the configured issuer's, or those of a user pool that this makes for it. */
export class OAuth extends Construct {
  readonly #config: OAuthConfig;

  constructor(scope: Construct, id: string, config: OAuthConfig | undefined) {
    super(scope, id);
    this.#config = config ?? this.#cognito();
  }

  /** Lets a function verify tokens. The issuer's keys are public: there is nothing to permit. */
  grant(fn: LambdaFunction): void {
    fn.addEnvironment(ENV.oauth, Stack.of(this).toJsonString(this.#config));
  }

  /** One client that gets tokens for itself (RFC 6749, 4.4); users of your own need an issuer of your own. */
  #cognito(): OAuthConfig {
    const pool = new UserPool(this, 'UserPool', {
      selfSignUpEnabled: false,
      // It has no users, and without the stack its client is good for nothing.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const write = new ResourceServerScope({
      scopeName: ASSETS_SCOPE,
      scopeDescription: 'Make, describe and delete assets',
    });
    const server = pool.addResourceServer('Api', { identifier: SCOPE_PREFIX, scopes: [write] });
    const client = pool.addClient('Client', {
      generateSecret: true,
      oAuth: { flows: { clientCredentials: true }, scopes: [OAuthScope.resourceServer(server, write)] },
    });
    // Unique in the region, and free of the words that Cognito reserves, which the stack's name may have.
    const stackUuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
    const domain = pool.addDomain('Domain', { cognitoDomain: { domainPrefix: `ptp-${stackUuid}` } });

    this.#output('TokenUrl', `${domain.baseUrl()}/oauth2/token`, 'Where the OAuth client gets tokens');
    this.#output('OAuthClientId', client.userPoolClientId, 'The OAuth client; Cognito tells its secret');
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
