import * as z from 'zod';
import type { Lambda } from '../lambda/lambda.ts';
import type { Principals } from '../roles.ts';
import type { Resource, Stack } from '../template/stack.ts';
import { AuthorizedIntegration, LambdaAuthorizer } from './authorizer.ts';
import type { Integration } from './integration.ts';
import { LambdaIntegration } from './lambda-integration.ts';
import { mockIntegration } from './mock.ts';
import { AuthorizerProperties, type MethodProperties } from './properties.ts';
import { S3Integration } from './s3-integration.ts';

/** The services behind the methods of the APIs. */
export interface Services {
  readonly lambda: Lambda;
  readonly principals: Principals;
  /** URL of the S3 endpoint. */
  readonly s3Endpoint: string;
}

const SERVICE = 'apigateway.amazonaws.com';

/** The trust policy of a role. */
const Trust = z.looseObject({
  AssumeRolePolicyDocument: z.looseObject({
    Statement: z.array(z.looseObject({ Principal: z.looseObject({ Service: z.string() }) })),
  }),
});

/** Creates the integrations of methods. Rejects integrations that could not work on AWS. */
export class Integrations {
  private readonly services: Services;
  private readonly region: string;
  private readonly assumable: ReadonlySet<string>;
  private readonly authorizers: ReadonlyMap<string, LambdaAuthorizer>;

  constructor(stack: Stack, services: Services) {
    this.services = services;
    this.region = stack.target.region;
    const roles = stack.all('AWS::IAM::Role', Trust).filter(({ properties }) => {
      const { Statement } = properties.AssumeRolePolicyDocument;
      return Statement.some(({ Principal }) => Principal.Service === SERVICE);
    });
    this.assumable = new Set(roles.map((role) => role.attribute('Arn')));
    const { lambda, principals } = services;
    this.authorizers = new Map(
      stack
        .all('AWS::ApiGateway::Authorizer', AuthorizerProperties)
        .map(({ ref, properties }) => [
          ref,
          new LambdaAuthorizer(ref, properties, lambda, principals.get(SERVICE)),
        ]),
    );
  }

  of(method: Resource<MethodProperties>, binaryMediaTypes: readonly string[]): Integration {
    const integration = this.unauthorized(method, binaryMediaTypes);
    const { AuthorizationType, AuthorizerId = '', Integration } = method.properties;
    if (AuthorizationType === 'NONE') return integration;
    const authorizer = this.authorizers.get(AuthorizerId);
    if (authorizer === undefined) throw new Error(`The authorizer of ${method.logicalId} does not exist`);
    if (Integration.Type === 'AWS_PROXY')
      throw new Error(`${method.logicalId}: authorizers of proxy integrations are not supported`);
    return new AuthorizedIntegration(integration, authorizer);
  }

  private unauthorized(
    { logicalId, properties: method }: Resource<MethodProperties>,
    binaryMediaTypes: readonly string[],
  ): Integration {
    const { lambda, principals, s3Endpoint } = this.services;
    const { Integration: integration } = method;
    if (integration.Type === 'MOCK') return mockIntegration(logicalId, method, integration);
    if (integration.Type === 'AWS_PROXY')
      return new LambdaIntegration(integration, lambda, principals.get(SERVICE), binaryMediaTypes);
    // Otherwise API Gateway would treat the body as text and damage it.
    if (!binaryMediaTypes.includes('*/*'))
      throw new Error(`${logicalId} passes bodies through: its API needs the binary media type */*`);
    if (!this.assumable.has(integration.Credentials))
      throw new Error(`${logicalId}: ${SERVICE} may not assume ${integration.Credentials}`);
    const credentials = principals.get(integration.Credentials);
    const access = { endpoint: s3Endpoint, region: this.region, credentials };
    return new S3Integration(logicalId, method, integration, access);
  }
}
