import { randomUUID } from 'node:crypto';
import { pipeline, type Readable, Transform } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod';
import {
  cutWhenIdle,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  header,
  valuesByName,
  within,
} from '../http.ts';
import { AccessDenied } from '../iam.ts';
import { FunctionError, TooManyRequests } from '../lambda/environment.ts';
import { type Caller, type Lambda, RequestTooLarge } from '../lambda/lambda.ts';
import { headerList, MalformedResponse, ResponseFields, readStreamedResponse } from '../lambda/streamed-response.ts';
import type { Credentials } from '../roles.ts';
import { type Integration, IntegrationError, type MethodRequest } from './integration.ts';
import type { LambdaIntegrationProperties } from './properties.ts';
import { withDefaultType } from './responses.ts';

/** The idle timeout of response streams of a regional API. */
const IDLE_MS = 5 * 60_000;

/** The response of a Lambda function. AWS rejects other members as malformed. */
const ProxyResponse = z.strictObject({
  statusCode: z.coerce.number().int().min(100).max(599),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().optional(),
  ...ResponseFields,
});

/** Returns the ARN of the function that API Gateway invokes through a URI, or undefined if it invokes none so. */
export function invokedFunction(uri: string, streaming = false): string | undefined {
  const suffix = streaming
    ? '2021-11-15/functions/(.+)/response-streaming-invocations'
    : '2015-03-31/functions/(.+)/invocations';
  return new RegExp(`^arn:aws:apigateway:[^:]+:lambda:path/${suffix}$`).exec(uri)?.[1];
}

/** An `AWS_PROXY` integration. */
export class LambdaIntegration implements Integration {
  private readonly functionArn: string;
  private readonly properties: LambdaIntegrationProperties;
  private readonly lambda: Lambda;
  private readonly credentials: Credentials;

  /** @param credentials API Gateway's own, which need the function's resource policy */
  constructor(properties: LambdaIntegrationProperties, lambda: Lambda, credentials: Credentials) {
    this.properties = properties;
    this.lambda = lambda;
    this.credentials = credentials;
    const functionArn = invokedFunction(properties.Uri, properties.ResponseTransferMode === 'STREAM');
    if (functionArn === undefined)
      throw new Error(`The integration URI ${properties.Uri} does not match ${properties.ResponseTransferMode}`);
    this.functionArn = functionArn;
  }

  /** @throws IntegrationError */
  async respond(methodRequest: MethodRequest): Promise<HttpResponse> {
    const { TimeoutInMillis, ResponseTransferMode } = this.properties;
    const { methodArn, accountId } = methodRequest.context;
    const event = proxyEvent(methodRequest);
    const caller: Caller = {
      credentials: this.credentials,
      actions: { 'lambda:InvokeFunction': { 'aws:SourceArn': methodArn, 'aws:SourceAccount': accountId } },
      clientGone: methodRequest.request.clientGone,
    };
    const late = () => new IntegrationError('INTEGRATION_TIMEOUT', `timed out after ${TimeoutInMillis} ms`);
    const response = ResponseTransferMode === 'STREAM' ? this.stream(event, caller) : this.buffered(event, caller);
    try {
      return await within(TimeoutInMillis, response, late);
    } catch (error) {
      response.catch(() => undefined);
      throw toIntegrationError(error);
    }
  }

  private async buffered(event: APIGatewayProxyEvent, caller: Caller): Promise<HttpResponse> {
    const payload = await this.lambda.invoke(this.functionArn, event, caller);
    const parsed = ProxyResponse.safeParse(parseJson(payload));
    if (!parsed.success) throw new MalformedResponse(z.prettifyError(parsed.error));
    const { statusCode, body, isBase64Encoded, ...fields } = parsed.data;
    const headers = headerList(fields);
    return {
      status: statusCode,
      headers: withDefaultType(headers),
      body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
      servedBy: this.lambda.nameOf(this.functionArn),
    };
  }

  private async stream(event: APIGatewayProxyEvent, caller: Caller): Promise<HttpResponse> {
    const begin = Date.now();
    const stream = this.lambda.invokeWithResponseStream(this.functionArn, event, caller);
    const { status, headers, body } = await readStreamedResponse(stream);
    const cut = cutWhenIdle(notEmpty(body), IDLE_MS);
    const remaining = begin + this.properties.TimeoutInMillis - Date.now();
    const clock = setTimeout(() => cut.destroy(new Error('the integration timed out')), remaining);
    cut.once('close', () => clearTimeout(clock));
    return {
      status,
      headers: withDefaultType(headers),
      body: cut,
      servedBy: this.lambda.nameOf(this.functionArn),
    };
  }
}

/** Fails at the end of an empty stream: AWS does not document whether API Gateway ends the response to one. */
function notEmpty(body: Readable): Readable {
  let empty = true;
  const checked = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      empty = false;
      done(null, chunk);
    },
    flush(done) {
      done(empty ? new MalformedResponse('a streamed response needs a body') : null);
    },
  });
  pipeline(body, checked, () => undefined);
  return checked;
}

function parseJson(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString());
  } catch {
    throw new MalformedResponse('the function did not return JSON');
  }
}

function toIntegrationError(error: unknown): unknown {
  if (error instanceof AccessDenied) return new IntegrationError('API_CONFIGURATION_ERROR', error.message);
  if (error instanceof RequestTooLarge) return new IntegrationError('REQUEST_TOO_LARGE', error.message);
  if (error instanceof TooManyRequests) return new IntegrationError('INVOCATION_REJECTED', error.message);
  if (error instanceof FunctionError || error instanceof MalformedResponse) {
    return new IntegrationError('DEFAULT_5XX', error.message);
  }
  return error;
}

/**
 * Returns the event of a Lambda proxy integration.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
export function proxyEvent(methodRequest: MethodRequest): APIGatewayProxyEvent {
  const { request, path, body, match } = methodRequest;
  const headers = forwardedHeaders(request);
  const query = [...new URLSearchParams(request.query)];
  return {
    resource: match.resourcePath,
    path,
    httpMethod: request.method,
    headers: Object.fromEntries(headers),
    multiValueHeaders: valuesByName(headers),
    queryStringParameters: query.length > 0 ? Object.fromEntries(query) : null,
    multiValueQueryStringParameters: query.length > 0 ? valuesByName(query) : null,
    pathParameters: Object.keys(match.pathParameters).length > 0 ? { ...match.pathParameters } : null,
    stageVariables: null,
    requestContext: requestContext(methodRequest),
    body: body.length > 0 ? body.toString('base64') : null,
    isBase64Encoded: body.length > 0,
  };
}

function forwardedHeaders(request: HttpRequest): HeaderList {
  const before = header(request.headers, 'x-forwarded-for');
  const random = randomUUID().replaceAll('-', '');
  const trace = header(request.headers, 'x-amzn-trace-id') ?? `Root=1-${random.slice(0, 8)}-${random.slice(8)}`;
  const added: HeaderList = [
    ['X-Forwarded-For', before === undefined ? request.peerIp : `${before}, ${request.peerIp}`],
    ['X-Forwarded-Port', '443'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Amzn-Trace-Id', trace],
  ];
  const replaced = new Set(added.map(([name]) => name.toLowerCase()));
  return [...request.headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...added];
}

function requestContext({ request, path, match, context }: MethodRequest): APIGatewayProxyEvent['requestContext'] {
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
