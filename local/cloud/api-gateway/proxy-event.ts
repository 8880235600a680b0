import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type HeaderList, type HttpRequest, header, valuesByName } from '../http.ts';
import type { MethodRequest } from './integration.ts';

/**
 * Returns the event of a Lambda proxy integration.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
export function proxyEvent(
  methodRequest: MethodRequest,
  binaryMediaTypes: readonly string[],
): APIGatewayProxyEvent {
  const { request, path, body, match, context } = methodRequest;
  const headers = forwardedHeaders(request);
  const query = [...new URLSearchParams(request.query)];
  const binary = isBinary(binaryMediaTypes, header(headers, 'content-type'));
  return {
    resource: match.resourcePath,
    path,
    httpMethod: request.method,
    headers: Object.fromEntries(headers),
    multiValueHeaders: valuesByName(headers),
    queryStringParameters: query.length > 0 ? Object.fromEntries(query) : null,
    multiValueQueryStringParameters: query.length > 0 ? valuesByName(query) : null,
    pathParameters: Object.keys(match.pathParameters).length > 0 ? { ...match.pathParameters } : null,
    stageVariables: context.stageVariables ? { ...context.stageVariables } : null,
    requestContext: requestContext(methodRequest),
    body: body.length > 0 ? body.toString(binary ? 'base64' : 'utf8') : null,
    isBase64Encoded: body.length > 0 && binary,
  };
}

/** Reports whether a media type is a binary media type of the API. */
export function isBinary(binaryMediaTypes: readonly string[], contentType: string | undefined): boolean {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? 'application/json';
  const [kind] = type.split('/');
  return ['*/*', `${kind}/*`, type].some((pattern) => binaryMediaTypes.includes(pattern));
}

function forwardedHeaders(request: HttpRequest): HeaderList {
  const before = header(request.headers, 'x-forwarded-for');
  const random = randomUUID().replaceAll('-', '');
  const trace =
    header(request.headers, 'x-amzn-trace-id') ?? `Root=1-${random.slice(0, 8)}-${random.slice(8)}`;
  const added: HeaderList = [
    ['X-Forwarded-For', before === undefined ? request.peerIp : `${before}, ${request.peerIp}`],
    ['X-Forwarded-Port', '443'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Amzn-Trace-Id', trace],
  ];
  const replaced = new Set(added.map(([name]) => name.toLowerCase()));
  return [...request.headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...added];
}

function requestContext({
  request,
  path,
  match,
  context,
}: MethodRequest): APIGatewayProxyEvent['requestContext'] {
  const now = new Date();
  return {
    accountId: context.accountId,
    apiId: context.apiId,
    authorizer: null,
    domainName: context.domainName,
    domainPrefix: context.apiId,
    extendedRequestId: randomUUID().replaceAll('-', '').slice(0, 15),
    httpMethod: request.method,
    identity: {
      accessKey: null,
      accountId: null,
      apiKey: null,
      apiKeyId: null,
      caller: null,
      clientCert: null,
      cognitoAuthenticationProvider: null,
      cognitoAuthenticationType: null,
      cognitoIdentityId: null,
      cognitoIdentityPoolId: null,
      principalOrgId: null,
      sourceIp: request.peerIp,
      user: null,
      userAgent: header(request.headers, 'user-agent') ?? null,
      userArn: null,
    },
    path: `/${context.stage}${path}`,
    protocol: 'HTTP/1.1',
    requestId: context.requestId,
    requestTime: clfTime(now),
    requestTimeEpoch: now.getTime(),
    resourceId: match.resourceId,
    resourcePath: match.resourcePath,
    stage: context.stage,
  };
}

/** Returns for example `09/Apr/2015:12:34:56 +0000`. */
function clfTime(time: Date): string {
  const [, day, month, year, clock] = time.toUTCString().split(' ');
  return `${day}/${month}/${year}:${clock} +0000`;
}
