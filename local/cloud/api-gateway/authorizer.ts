import * as z from 'zod';
import { AccessDenied, decide, PolicyDocument } from '../iam.ts';
import { FunctionError, TooManyRequests } from '../lambda/environment.ts';
import type { Lambda } from '../lambda/lambda.ts';
import type { Credentials } from '../roles.ts';
import { IntegrationError, type MethodRequest } from './integration.ts';
import { invokedFunction, proxyEvent } from './lambda-integration.ts';
import type { AuthorizerProperties } from './properties.ts';
import type { RequestContext } from './responses.ts';

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html */
const Output = z.strictObject({
  principalId: z.string(),
  policyDocument: PolicyDocument,
  context: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).default({}),
});

/**
 * Returns the context of a Lambda authorizer for a request that it allows.
 * @throws IntegrationError ACCESS_DENIED, UNAUTHORIZED or AUTHORIZER_CONFIGURATION_ERROR
 */
export type Authorizer = (methodRequest: MethodRequest) => Promise<NonNullable<RequestContext['authorizer']>>;

/**
 * Returns a Lambda authorizer of the type REQUEST without caching.
 * @param credentials API Gateway's own, which need the function's resource policy
 */
export function lambdaAuthorizer(
  id: string,
  { AuthorizerUri }: AuthorizerProperties,
  lambda: Lambda,
  credentials: Credentials,
): Authorizer {
  const functionArn = invokedFunction(AuthorizerUri);
  if (functionArn === undefined) throw new Error(`The authorizer URI ${AuthorizerUri} is not supported`);
  return async (methodRequest) => {
    const { accountId, methodArn } = methodRequest.context;
    const sourceArn = methodArn.replace(/\/.*$/, `/authorizers/${id}`);
    const payload = lambda.invoke(functionArn, requestEvent(methodRequest), {
      credentials,
      actions: { 'lambda:InvokeFunction': { 'aws:SourceArn': sourceArn, 'aws:SourceAccount': accountId } },
      clientGone: methodRequest.request.clientGone,
    });
    const output = payload.then((bytes) => Output.parse(JSON.parse(bytes.toString())));
    const { policyDocument: statements, context } = await output.catch((error) => {
      throw toIntegrationError(error);
    });
    const principal = { ...credentials.principal, statements };
    const { allowed } = decide({ principal, action: 'execute-api:Invoke', resource: methodArn });
    if (!allowed) throw new IntegrationError('ACCESS_DENIED', 'the authorizer denied the request', context);
    return context;
  };
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
