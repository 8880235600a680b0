import middy from '@middy/core';
import type {
  APIGatewayAuthorizerResult,
  APIGatewayAuthorizerResultContext,
  APIGatewayProxyEvent,
  APIGatewayRequestAuthorizerEvent,
} from 'aws-lambda';
import { ApiError } from '../../contract/errors.ts';
import { contextKey } from '../../contract/headers.ts';
import { admit, door, type Limits, requireOpen } from '../../http/admission.ts';
import type { CallerAccess } from '../../http/api-access.ts';
import { accessLog, rateLimitHeaders } from '../../http/pipeline.ts';
import { toApiRequest } from '../../http/proxy-event.ts';
import type { ApiMiddleware, ApiRequest } from '../../http/request.ts';
import { stagedBytes } from '../../http/stored-bytes.ts';
import { REFUSED_ID } from '../../platform/env.ts';
import { senderOf } from '../../stored/deployment-owner.ts';
import { newStagedId } from './staged-bodies.ts';

type StagingRequest = ApiRequest & { readonly methodArn: string };
type Middleware = middy.MiddlewareObj<StagingRequest, APIGatewayAuthorizerResult>;
type Step = middy.MiddlewareFn<StagingRequest, APIGatewayAuthorizerResult>;

/**
 * Returns a Lambda authorizer (REQUEST) that replaces the pipeline where API Gateway itself stores a body in S3. It
 * identifies and counts the caller with the pipeline's own middlewares, and draws the id of the stored body. API Gateway
 * takes the object's key and the headers of its response from the authorizer's context.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
 */
export function stagingAuthorizer(access: Limits & Pick<CallerAccess, 'apiUrl' | 'apiGatewayDoor' | 'originSecrets'>) {
  const { clock, apiUrl, closures } = access;
  const fromPipeline = (middleware: ApiMiddleware) => middleware as unknown as Middleware;
  return middy<StagingRequest, APIGatewayAuthorizerResult>()
    .use({ before: translate, onError: refuse })
    .use(fromPipeline(accessLog(clock)))
    .use(fromPipeline(door(access)))
    .use({ before: () => requireOpen(['deploy', 'all'], closures) })
    .use(fromPipeline(admit(access, stagedBytes)))
    .handler(async (request) => {
      const stagedId = newStagedId(senderOf(request));
      const location = apiUrl(request, `/api/v1/deploy/staged/${stagedId}`);
      return decision('Allow', request, { stagedId, location });
    });
}

/** The event has all fields of a proxy event except the body. */
const translate: Step = (handling) => {
  const event = handling.event as unknown as APIGatewayRequestAuthorizerEvent;
  const request = toApiRequest(event as unknown as APIGatewayProxyEvent);
  handling.event = { ...request, methodArn: event.methodArn };
};

/**
 * API Gateway has three kinds of rejection, each with one status: a `Deny` policy, which has a context and is used for the 429; an
 * error with exactly the message `Unauthorized`, for its 401; and any other error, for its response to a failed authorizer. A
 * 503 for what is closed has none: the request is allowed to write an object that API Gateway's role may not write.
 */
const refuse: Step = (handling) => {
  const { error, event } = handling;
  if (!(error instanceof ApiError)) return;
  const context = { error: error.message, retryAfter: String(error.body.retryAfter) };
  if (error.code === 'rate_limited') handling.response = decision('Deny', event, context);
  else if (error.code === 'closed') handling.response = decision('Allow', event, { ...context, stagedId: REFUSED_ID });
  else if (error.status < 500) throw new Error('Unauthorized');
};

function decision(
  Effect: 'Allow' | 'Deny',
  { caller, quota, methodArn }: StagingRequest,
  context: APIGatewayAuthorizerResultContext,
): APIGatewayAuthorizerResult {
  const headers = Object.entries(quota ? rateLimitHeaders(quota) : {});
  return {
    principalId: caller?.id ?? '',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: methodArn }],
    },
    context: { ...Object.fromEntries(headers.map(([name, value]) => [contextKey(name), value])), ...context },
  };
}
