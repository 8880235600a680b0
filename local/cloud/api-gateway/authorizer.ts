import * as z from 'zod';
import { AccessDenied, decide, PolicyDocument } from '../iam.ts';
import { FunctionError, TooManyRequests } from '../lambda/environment.ts';
import type { Caller, Lambda } from '../lambda/lambda.ts';
import type { Credentials } from '../roles.ts';
import { type Integration, IntegrationError, type MethodRequest } from './integration.ts';
import { proxyEvent } from './lambda-integration.ts';
import type { AuthorizerProperties } from './properties.ts';
import type { RequestContext } from './responses.ts';

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html */
const Output = z.strictObject({
  principalId: z.string(),
  policyDocument: PolicyDocument,
  context: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).default({}),
});

/** A Lambda authorizer of the type REQUEST without caching. */
export class LambdaAuthorizer {
  private readonly id: string;
  private readonly functionArn: string;
  private readonly lambda: Lambda;
  private readonly credentials: Credentials;

  /** @param credentials API Gateway's own, which need the function's resource policy */
  constructor(id: string, { AuthorizerUri }: AuthorizerProperties, lambda: Lambda, credentials: Credentials) {
    const match = /^arn:aws:apigateway:[^:]+:lambda:path\/2015-03-31\/functions\/(.+)\/invocations$/.exec(
      AuthorizerUri,
    );
    if (match?.[1] === undefined) throw new Error(`The authorizer URI ${AuthorizerUri} is not supported`);
    this.id = id;
    this.functionArn = match[1];
    this.lambda = lambda;
    this.credentials = credentials;
  }

  /**
   * Returns the authorizer's context for an allowed request.
   * @throws IntegrationError ACCESS_DENIED, UNAUTHORIZED or AUTHORIZER_CONFIGURATION_ERROR
   */
  async authorize(methodRequest: MethodRequest): Promise<NonNullable<RequestContext['authorizer']>> {
    const { methodArn } = methodRequest.context;
    const { policyDocument: statements, context } = await this.invoke(methodRequest);
    const principal = { ...this.credentials.principal, statements };
    const { allowed } = decide({ principal, action: 'execute-api:Invoke', resource: methodArn });
    if (!allowed) throw new IntegrationError('ACCESS_DENIED', 'the authorizer denied the request', context);
    return context;
  }

  private async invoke(methodRequest: MethodRequest): Promise<z.output<typeof Output>> {
    const { accountId, methodArn } = methodRequest.context;
    const sourceArn = methodArn.replace(/\/.*$/, `/authorizers/${this.id}`);
    const caller: Caller = {
      credentials: this.credentials,
      actions: { 'lambda:InvokeFunction': { 'aws:SourceArn': sourceArn, 'aws:SourceAccount': accountId } },
      clientGone: methodRequest.request.clientGone,
    };
    try {
      const payload = await this.lambda.invoke(this.functionArn, requestEvent(methodRequest), caller);
      return Output.parse(JSON.parse(payload.toString()));
    } catch (error) {
      throw toIntegrationError(error);
    }
  }
}

/** An integration for requests that an authorizer allows, with its context. */
export class AuthorizedIntegration implements Integration {
  private readonly integration: Integration;
  private readonly authorizer: LambdaAuthorizer;

  constructor(integration: Integration, authorizer: LambdaAuthorizer) {
    this.integration = integration;
    this.authorizer = authorizer;
  }

  /** @throws IntegrationError */
  async respond(methodRequest: MethodRequest): ReturnType<Integration['respond']> {
    const authorizer = await this.authorizer.authorize(methodRequest);
    return this.integration.respond({ ...methodRequest, context: { ...methodRequest.context, authorizer } });
  }
}

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-input.html */
function requestEvent(methodRequest: MethodRequest): object {
  const { body, isBase64Encoded, requestContext, ...event } = proxyEvent(methodRequest);
  const { authorizer, ...rest } = requestContext;
  return {
    type: 'REQUEST',
    methodArn: methodRequest.context.methodArn,
    ...event,
    requestContext: rest,
  };
}

function toIntegrationError(error: unknown): unknown {
  // Only this exact message means 401.
  if (error instanceof FunctionError && error.payload.errorMessage === 'Unauthorized')
    return new IntegrationError('UNAUTHORIZED', 'the authorizer returned Unauthorized');
  const known = [FunctionError, TooManyRequests, AccessDenied, z.ZodError, SyntaxError].some(
    (type) => error instanceof type,
  );
  return known ? new IntegrationError('AUTHORIZER_CONFIGURATION_ERROR', (error as Error).message) : error;
}
