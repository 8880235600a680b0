import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CHALLENGE } from '../../lambda/access/viewer-address.ts';
import { RATE_LIMIT_DOCS } from '../../lambda/contract/limits.ts';
import { contextKey, RATE_LIMIT_HEADERS, rateLimitPolicy } from '../../lambda/contract/rate-limit-headers.ts';
import type { StageConfig } from '../config.ts';

interface GatewayError {
  readonly type: ResponseType;
  /** By default, the status of the type. */
  readonly statusCode?: string;
  /** A JSON string, or a variable that expands to one. */
  readonly error: string;
  /** More members of the body. */
  readonly members?: string;
  /** Mapping expressions by header. */
  readonly headers?: Readonly<Record<string, string>>;
}

const THROTTLED: GatewayError = {
  type: ResponseType.THROTTLED,
  error: '"The service is over its overall request limit. Try again in 1 s"',
  members: `,"retryAfter":1,"docs":"${RATE_LIMIT_DOCS}"`,
  headers: { 'Retry-After': "'1'" },
};

/** The responses for the authorizer, which only the method for large bodies has; the functions use the same words. */
const ofAuthorizer = ({ anonymous, windowSeconds }: StageConfig['rateLimit']): readonly GatewayError[] => [
  {
    type: ResponseType.ACCESS_DENIED,
    statusCode: '429',
    error: '"$context.authorizer.error"',
    members: `,"retryAfter":$context.authorizer.retryAfter,"docs":"${RATE_LIMIT_DOCS}"`,
    headers: {
      'Retry-After': 'context.authorizer.retryAfter',
      ...Object.fromEntries(
        RATE_LIMIT_HEADERS.map((name) => [name, `context.authorizer.${contextKey(name)}`]),
      ),
    },
  },
  {
    // This response has no context, so it names all possible reasons. The request counts for the address, whose limit is
    // known, but not how much of it remains.
    type: ResponseType.UNAUTHORIZED,
    error:
      '"The API key or access token is not valid: mistyped, unknown, revoked or expired, or not the only one"',
    headers: {
      'WWW-Authenticate': `'${CHALLENGE}, error="invalid_token"'`,
      'X-RateLimit-Limit': `'${anonymous}'`,
      'RateLimit-Policy': `'${rateLimitPolicy(anonymous, windowSeconds)}'`,
    },
  },
  // AWS does not document which of the two occurs when the authorizer cannot reach its tables.
  ...[ResponseType.AUTHORIZER_FAILURE, ResponseType.AUTHORIZER_CONFIGURATION_ERROR].map((type) => ({
    type,
    statusCode: '502',
    error: '"The deployment backend is unreachable; nothing was changed. Try again in a few seconds"',
    headers: { 'Retry-After': "'2'" },
  })),
];

const gatewayErrors = (rateLimit: StageConfig['rateLimit']): readonly GatewayError[] => [
  // Every path has a method (rest-api.ts), and none is signed: these are left for HTTP methods that API Gateway does not know.
  ...[
    ResponseType.MISSING_AUTHENTICATION_TOKEN,
    ResponseType.INVALID_SIGNATURE,
    ResponseType.EXPIRED_TOKEN,
  ].map((type) => ({
    type,
    statusCode: '404',
    error: '"There is no such route; the API is under /api/v1"',
  })),
  THROTTLED,
  ...ofAuthorizer(rateLimit),
  { type: ResponseType.DEFAULT_4XX, error: '$context.error.messageString' },
  {
    type: ResponseType.INTEGRATION_FAILURE,
    statusCode: '502',
    error: '"The service did not respond; try again in a few seconds"',
    headers: { 'Retry-After': "'2'" },
  },
  {
    type: ResponseType.INTEGRATION_TIMEOUT,
    error: '"The service did not respond in time; try again in a few seconds"',
  },
  {
    // A function that failed, or all of whose concurrency is in use. AWS does not document whether the latter is this type or
    // INTEGRATION_FAILURE.
    type: ResponseType.DEFAULT_5XX,
    statusCode: '503',
    error: '"The service could not handle the request; try again in a few seconds"',
    members: ',"retryAfter":2',
    headers: { 'Retry-After': "'2'" },
  },
];

/**
 * Gives API Gateway's own errors the format of all other errors. A template can only expand variables, and each type has
 * one status.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-gatewayResponse-definition.html
 */
export function addGatewayResponses(restApi: RestApi, rateLimit: StageConfig['rateLimit']): void {
  for (const { type, statusCode, error, members = '', headers = {} } of gatewayErrors(rateLimit))
    restApi.addGatewayResponse(`Response${type.responseType}`, {
      type,
      ...(statusCode ? { statusCode } : {}),
      responseHeaders: {
        'Access-Control-Allow-Origin': "'*'",
        'Access-Control-Expose-Headers': "'*'",
        ...headers,
      },
      templates: { 'application/json': `{"error":${error}${members}}` },
    });
}
