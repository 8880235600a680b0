import { OAuthScope, ResourceServerScope, UserPool } from 'aws-cdk-lib/aws-cognito';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Aws, CfnOutput, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { OAuthConfig } from '../../lambda/contract/oauth.ts';
import { ASSETS_SCOPE } from '../../lambda/contract/operations.ts';
import { ENV } from '../../lambda/platform/env.ts';
import type { StageConfig } from '../config.ts';

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
