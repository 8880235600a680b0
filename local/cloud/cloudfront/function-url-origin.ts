import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import {
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  header,
  jsonResponse,
  readBody,
  valuesByName,
} from '../http.ts';
import { AccessDenied } from '../iam.ts';
import { FunctionError, TooManyRequests } from '../lambda/environment.ts';
import { type Lambda, RequestTooLarge } from '../lambda/lambda.ts';
import { EmptyStream, MalformedResponse, ResponseFields, readStreamedResponse } from '../lambda/streamed-response.ts';
import type { Credentials } from '../roles.ts';
import type { UrlProperties } from './properties.ts';

interface Parts {
  readonly functionArn: string;
  readonly invokeMode: UrlProperties['InvokeMode'];
  readonly domain: string;
  readonly lambda: Lambda;
  readonly credentials: Credentials;
  readonly distributionArn: string;
  readonly accountId: string;
}

const BODY_LIMIT = 6_291_456;

/**
 * Paths that need no encoding and no normalization: users report a 403 for others, such as those with `%20` or `+`. Queries with
 * these are refused as well, so that nothing depends on them.
 * https://github.com/aws-samples/image-optimization/issues/44
 */
const SIGNED_ALIKE = /^(\/[\w~-][\w.~-]*)*\/?$/;

/**
 * The response to a stream without a write. Lambda's runtime sends status and headers with the first one.
 * https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/issues/97
 */
const NO_PRELUDE = {
  status: 200,
  headers: [['Content-Type', 'application/octet-stream']],
  body: Buffer.alloc(0),
} as const;

/**
 * A function URL (AWS_IAM) behind an origin access control. Since October 2025, CloudFront needs both
 * permissions.
 * https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html
 */
export class FunctionUrlOrigin {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  async handle(request: HttpRequest): Promise<HttpResponse> {
    const { functionArn, invokeMode, lambda, credentials, distributionArn, accountId } = this.parts;
    const body = await readBody(request, BODY_LIMIT);
    if (body === undefined) return failure(413, 'Request Entity Too Large');
    // CloudFront signs the request but does not hash the body: the viewer must send its hash.
    if (body.length > 0 && header(request.headers, 'x-amz-content-sha256') === undefined) {
      return failure(403, 'The request signature we calculated does not match the signature you provided.');
    }
    if (!SIGNED_ALIKE.test(request.path) || /[%+]/.test(request.query))
      return failure(403, 'The request signature we calculated does not match the signature you provided.');
    const source = { 'aws:SourceArn': distributionArn, 'aws:SourceAccount': accountId };
    const actions = {
      'lambda:InvokeFunctionUrl': { ...source, 'lambda:FunctionUrlAuthType': 'AWS_IAM' },
      'lambda:InvokeFunction': { ...source, 'lambda:InvokedViaFunctionUrl': 'true' },
    };
    try {
      const event = this.event(request, body);
      const caller = { credentials, actions };
      const response =
        invokeMode === 'BUFFERED'
          ? readBufferedResponse(await lambda.invoke(functionArn, event, caller))
          : await readStreamedResponse(lambda.invokeWithResponseStream(functionArn, event, caller));
      return { ...response, servedBy: lambda.nameOf(functionArn) };
    } catch (error) {
      if (error instanceof EmptyStream) return { ...NO_PRELUDE, servedBy: lambda.nameOf(functionArn) };
      if (error instanceof AccessDenied) return failure(403, 'Forbidden');
      if (error instanceof TooManyRequests) return throttled(error);
      if (error instanceof RequestTooLarge) return failure(413, error.message);
      if (error instanceof FunctionError || error instanceof MalformedResponse) {
        return failure(502, 'Internal Server Error');
      }
      throw error;
    }
  }

  /** https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html */
  private event(request: HttpRequest, body: Buffer): APIGatewayProxyEventV2 {
    const { domain } = this.parts;
    const fields = request.headers.filter(([name]) => name.toLowerCase() !== 'cookie');
    const headers = joined(fields.map(([name, value]) => [name.toLowerCase(), value]));
    const cookies = header(request.headers, 'cookie')?.split(/;\s*/);
    const query = joined([...new URLSearchParams(request.query)]);
    const now = new Date();
    return {
      version: '2.0',
      routeKey: '$default',
      rawPath: request.path,
      rawQueryString: request.query,
      ...(cookies && { cookies }),
      headers,
      ...(request.query !== '' && { queryStringParameters: query }),
      requestContext: {
        accountId: 'anonymous',
        apiId: domain.split('.')[0] ?? '',
        domainName: domain,
        domainPrefix: domain.split('.')[0] ?? '',
        http: {
          method: request.method,
          path: request.path,
          protocol: 'HTTP/1.1',
          sourceIp: request.peerIp,
          userAgent: header(request.headers, 'user-agent') ?? '',
        },
        requestId: randomUUID(),
        routeKey: '$default',
        stage: '$default',
        time: now.toUTCString(),
        timeEpoch: now.getTime(),
      },
      ...(body.length > 0 && { body: body.toString('base64') }),
      isBase64Encoded: body.length > 0,
    };
  }
}

const BufferedResponse = z.looseObject({
  statusCode: z.coerce.number().int(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().default(false),
  cookies: z.array(z.string()).default([]),
  headers: ResponseFields.headers,
});

/** Parses payload format 2.0, in which a payload without status code is a JSON body. */
function readBufferedResponse(payload: Buffer): Pick<HttpResponse, 'status' | 'headers' | 'body'> {
  const response = BufferedResponse.safeParse(JSON.parse(payload.toString())).data;
  if (response === undefined) return { status: 200, headers: [['content-type', 'application/json']], body: payload };
  const { statusCode, body, isBase64Encoded, cookies, headers } = response;
  return {
    status: statusCode,
    headers: [...Object.entries(headers ?? {}), ...cookies.map((cookie) => ['set-cookie', cookie] as const)],
    body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  };
}

/** https://docs.aws.amazon.com/lambda/latest/dg/urls-configuration.html#urls-throttling */
function throttled({ message, reason }: TooManyRequests): HttpResponse {
  return jsonResponse(429, { Reason: reason, Type: 'User', message }, 'Lambda');
}

function failure(status: number, message: string): HttpResponse {
  return jsonResponse(status, { Message: message }, 'Lambda');
}

/** Returns the values of each name, with commas between them. */
function joined(entries: HeaderList): Record<string, string> {
  const values = Object.entries(valuesByName(entries));
  return Object.fromEntries(values.map(([name, all]) => [name, all.join(',')]));
}
