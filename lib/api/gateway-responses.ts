import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CHALLENGE } from '../../lambda/access/viewer-address.ts';
import { RATE_LIMIT_DOCS } from '../../lambda/contract/limits.ts';
import { contextKey, RATE_LIMIT_HEADERS, rateLimitPolicy } from '../../lambda/contract/rate-limit-headers.ts';
import type { StageConfig } from '../config.ts';

interface Answer {
  readonly type: ResponseType;
  /** Left out for the type's own. */
  readonly statusCode?: string;
  /** A JSON string, or a variable that stands for one. */
  readonly error: string;
  /** Further members of the body. */
  readonly members?: string;
  /** Mapping expressions by header. */
  readonly headers?: Readonly<Record<string, string>>;
}

const THROTTLED: Answer = {
  type: ResponseType.THROTTLED,
  error: '"Too many requests of all callers together. Try again in 1 s"',
  members: `,"retryAfter":1,"docs":"${RATE_LIMIT_DOCS}"`,
  headers: { 'Retry-After': "'1'" },
};

/** Only the method that stores large bodies has an authorizer: these are its answers, as the functions word theirs. */
const ofTheAuthorizer = ({ anonymous, windowSeconds }: StageConfig['rateLimit']): readonly Answer[] => [
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
    // An authorizer that answers so has no context: this says what all its reasons have in common. The request counts
    // for the address, whose limit is known; what is left of it is not.
    type: ResponseType.UNAUTHORIZED,
    error:
      '"The API key or access token is not valid: mistyped, unknown, revoked or expired, or not the only one"',
    headers: {
      'WWW-Authenticate': `'${CHALLENGE}, error="invalid_token"'`,
      'X-RateLimit-Limit': `'${anonymous}'`,
      'RateLimit-Policy': `'${rateLimitPolicy(anonymous, windowSeconds)}'`,
    },
  },
  // Which of the two it is when the authorizer cannot reach its tables, AWS does not say.
  ...[ResponseType.AUTHORIZER_FAILURE, ResponseType.AUTHORIZER_CONFIGURATION_ERROR].map((type) => ({
    type,
    statusCode: '502',
    error: '"The deployment backend is unreachable; nothing was changed. Try again in a few seconds"',
    headers: { 'Retry-After': "'2'" },
  })),
];

const answers = (rateLimit: StageConfig['rateLimit']): readonly Answer[] => [
  {
    type: ResponseType.MISSING_AUTHENTICATION_TOKEN,
    statusCode: '404',
    error: '"There is no such route; the API is under /api/v1"',
  },
  THROTTLED,
  ...ofTheAuthorizer(rateLimit),
  { type: ResponseType.DEFAULT_4XX, error: '$context.error.messageString' },
  {
    type: ResponseType.INTEGRATION_FAILURE,
    statusCode: '502',
    error: '"The service did not answer; try again in a few seconds"',
    headers: { 'Retry-After': "'2'" },
  },
  {
    type: ResponseType.INTEGRATION_TIMEOUT,
    error: '"The service did not answer in time; try again in a few seconds"',
  },
  {
    type: ResponseType.DEFAULT_5XX,
    error: '"Something went wrong on our side; try again in a few seconds"',
  },
];

/**
 * Gives what API Gateway answers by itself the form of every other error. In a template only variables are filled in, and
 * the status of a type is fixed.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-gatewayResponse-definition.html
 */
export function addGatewayResponses(restApi: RestApi, rateLimit: StageConfig['rateLimit']): void {
  for (const { type, statusCode, error, members = '', headers = {} } of answers(rateLimit))
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
