import type { Principal } from '../account.ts';
import { ApiError, type AwsReply, type AwsRequest, percentDecode, splitUrl } from '../aws-http.ts';
import { AccessDenied } from '../iam.ts';
import { verify } from '../sigv4.ts';
import { FunctionError, TooManyRequests } from './environment.ts';
import { InvalidParameterValue, type Lambda, RequestTooLarge } from './lambda.ts';

/** The prefix of the paths of Lambda's API. */
export const INVOCATIONS = '/2015-03-31/functions/';

const PATH = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

interface Plane {
  readonly region: string;
  readonly principals: Readonly<Record<string, Principal>>;
  readonly lambda: Lambda;
}

/**
 * Returns the reply to Lambda's Invoke, `RequestResponse`.
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export async function invokeCall(plane: Plane, request: AwsRequest): Promise<AwsReply> {
  try {
    const payload = await invoke(plane, request);
    return json(200, payload);
  } catch (error) {
    if (error instanceof FunctionError)
      return json(200, JSON.stringify(error.payload), { 'x-amz-function-error': 'Unhandled' });
    const { status, type, message, reason } = asLambdaError(error);
    const body = { Type: 'User', message, ...(reason !== undefined && { Reason: reason }) };
    return json(status, JSON.stringify(body), { 'x-amzn-errortype': type });
  }
}

async function invoke({ region, principals, lambda }: Plane, request: AwsRequest): Promise<Buffer> {
  const verified = await verify(request, { service: 'lambda', region }, principals);
  if ('failure' in verified) throw new ApiError(403, 'InvalidSignatureException', verified.message);
  const { path, query } = splitUrl(request.url);
  const [, name] = PATH.exec(path) ?? [];
  const { 'x-amz-invocation-type': invocationType = 'RequestResponse' } = request.headers;
  if (name === undefined || request.method !== 'POST' || query.length > 0 || invocationType !== 'RequestResponse') {
    console.log(
      `UnknownOperation ${request.method} ${request.url} ${invocationType} is not supported by the local cloud`,
    );
    throw new ApiError(501, 'NotImplemented', `The local cloud does not support this operation of Lambda`);
  }
  const arn = lambda.arnOf(percentDecode(name));
  if (arn === undefined)
    throw new ApiError(404, 'ResourceNotFoundException', `Function not found: ${percentDecode(name)}`);
  const { principal } = verified;
  return lambda.invoke(arn, eventOf(request.body), {
    credentials: { principal },
    actions: { 'lambda:InvokeFunction': {} },
    tenantId: request.headers['x-amz-tenant-id'],
  });
}

function eventOf(body: Buffer): unknown {
  try {
    return body.length === 0 ? {} : JSON.parse(body.toString());
  } catch (error) {
    const message = `Could not parse request body into json: ${(error as Error).message}`;
    throw new ApiError(400, 'InvalidRequestContentException', message);
  }
}

/** Returns what the protocol says about an error. @throws the error, if it is none of a caller */
function asLambdaError(error: unknown): { status: number; type: string; message: string; reason?: string } {
  if (error instanceof ApiError) return { status: error.status, type: error.code, message: error.message };
  if (error instanceof AccessDenied) return { status: 403, type: 'AccessDeniedException', message: error.message };
  if (error instanceof InvalidParameterValue) return { status: 400, type: error.name, message: error.message };
  if (error instanceof RequestTooLarge) return { status: 413, type: error.name, message: error.message };
  if (error instanceof TooManyRequests)
    return { status: 429, type: error.name, message: error.message, reason: error.reason };
  throw error;
}

function json(status: number, body: string | Buffer, headers: Record<string, string> = {}): AwsReply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}
