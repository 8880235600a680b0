import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Principal } from './account.ts';
import { type AwsRequest, percentDecode, splitUrl } from './aws-http.ts';

/** The reason for rejecting a signature. Each service has its own error codes. */
export type SignatureFailure =
  | 'MissingAuthenticationToken'
  | 'IncompleteSignature'
  | 'InvalidScope'
  | 'InvalidAccessKeyId'
  | 'RequestTimeTooSkewed'
  | 'RequestExpired'
  | 'UnsignedHeaders'
  | 'SignatureDoesNotMatch'
  | 'PayloadHashMismatch';

export type Verification =
  | { readonly principal: Principal }
  | { readonly failure: SignatureFailure; readonly message: string };

/** The required scope of a credential, such as `{ service: 's3', region: 'eu-central-1' }`. */
export interface Scope {
  readonly service: string;
  readonly region: string;
}

interface Signature {
  readonly accessKeyId: string;
  readonly scope: readonly string[];
  /** ISO 8601 basic format, as sent. */
  readonly time: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  /** Only for a presigned URL. */
  readonly expiresSeconds?: number;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const SKEW_MS = 15 * 60_000;
const MAX_EXPIRES_SECONDS = 7 * 24 * 3600;

/**
 * Verifies Signature Version 4 in the Authorization header or in the query of a presigned URL, and returns the
 * signer; see "Create a signed AWS API request" in the IAM User Guide. `now` is in Unix milliseconds.
 */
export function verify(
  request: AwsRequest,
  scope: Scope,
  principals: Readonly<Record<string, Principal>>,
  now: number = Date.now(),
): Verification {
  const signature = readSignature(request);
  if (signature === 'missing') return fail('MissingAuthenticationToken', 'The request is not signed');
  if (!signature) return fail('IncompleteSignature', 'The authorization is incomplete or malformed');

  const expected = [signature.time.slice(0, 8), scope.region, scope.service, 'aws4_request'].join('/');
  if (signature.scope.join('/') !== expected) {
    return fail('InvalidScope', `The credential must be scoped to ${expected}`);
  }
  const { accessKeyId } = signature;
  const principal = Object.hasOwn(principals, accessKeyId) ? principals[accessKeyId] : undefined;
  if (!principal) return fail('InvalidAccessKeyId', 'The access key id does not exist in this account');

  return checkTime(signature, now) ?? checkSignature(request, signature, principal) ?? { principal };
}

function fail(failure: SignatureFailure, message: string): Verification & { failure: SignatureFailure } {
  return { failure, message };
}

function readSignature({ headers, url }: AwsRequest): Signature | 'missing' | undefined {
  const { authorization } = headers;
  if (authorization !== undefined) {
    const fields = authorizationFields(authorization);
    return toSignature(authorization.split(' ', 1)[0], headers['x-amz-date'], (name) => fields.get(name));
  }
  const query = new Map(splitUrl(url).query);
  if (!query.has('X-Amz-Signature')) return 'missing';
  const field = (name: string) => query.get(`X-Amz-${name}`);
  const signature = toSignature(field('Algorithm'), field('Date'), field);
  const expiresSeconds = Number(field('Expires'));
  const inLimits = expiresSeconds > 0 && expiresSeconds <= MAX_EXPIRES_SECONDS;
  return signature && inLimits ? { ...signature, expiresSeconds } : undefined;
}

function toSignature(
  algorithm: string | undefined,
  time: string | undefined,
  field: (name: string) => string | undefined,
): Signature | undefined {
  const [accessKeyId, ...scope] = field('Credential')?.split('/') ?? [];
  const signedHeaders = field('SignedHeaders')?.split(';') ?? [];
  const signature = field('Signature');
  const complete = algorithm === ALGORITHM && signedHeaders.includes('host');
  if (!complete || !accessKeyId || !time || !signature) return undefined;
  return { accessKeyId, scope, time, signedHeaders, signature };
}

function authorizationFields(header: string): Map<string, string> {
  const fields = header.slice(ALGORITHM.length).split(',');
  return new Map(
    fields.map((field): [string, string] => {
      const [name, ...value] = field.trim().split('=');
      return [name ?? '', value.join('=')];
    }),
  );
}

function checkTime(signature: Signature, now: number): Verification | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(signature.time);
  if (!parts) return fail('IncompleteSignature', 'X-Amz-Date must be in ISO 8601 basic format');
  const [, year, month, day, hour, minute, second] = parts;
  const age = now - Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const lifetime = signature.expiresSeconds === undefined ? SKEW_MS : signature.expiresSeconds * 1000;
  if (age > lifetime && signature.expiresSeconds !== undefined)
    return fail('RequestExpired', 'Request has expired');
  if (age > lifetime || age < -SKEW_MS) {
    return fail(
      'RequestTimeTooSkewed',
      'The difference between the request time and the current time is too large',
    );
  }
  return undefined;
}

function checkSignature(
  request: AwsRequest,
  signature: Signature,
  principal: Principal,
): Verification | undefined {
  const unsigned = Object.keys(request.headers).filter(
    (name) => name.startsWith('x-amz-') && !signature.signedHeaders.includes(name),
  );
  if (unsigned.length > 0) {
    const message = `There were headers present in the request which were not signed: ${unsigned.join(', ')}`;
    return fail('UnsignedHeaders', message);
  }
  const payloadHash = declaredPayloadHash(request, signature);
  const stringToSign = [
    ALGORITHM,
    signature.time,
    signature.scope.join('/'),
    sha256(canonicalRequest(request, signature, payloadHash)),
  ].join('\n');
  const key = signature.scope.reduce<string | Buffer>(hmac, `AWS4${principal.secretAccessKey}`);
  const wanted = hmac(key, stringToSign);
  const given = Buffer.from(signature.signature, 'hex');
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    return fail('SignatureDoesNotMatch', 'The signature does not match the one calculated from the request');
  }
  if (/^[0-9a-f]{64}$/.test(payloadHash) && payloadHash !== sha256(request.body)) {
    return fail('PayloadHashMismatch', 'The x-amz-content-sha256 of the request does not match its body');
  }
  return undefined;
}

/** Returns the signed hash of the body. S3 allows unsigned bodies, and a presigned URL cannot sign the body. */
function declaredPayloadHash(request: AwsRequest, signature: Signature): string {
  const declared =
    request.headers['x-amz-content-sha256'] ??
    new Map(splitUrl(request.url).query).get('X-Amz-Content-Sha256');
  if (declared !== undefined) return declared;
  return isS3(signature) && signature.expiresSeconds !== undefined
    ? 'UNSIGNED-PAYLOAD'
    : sha256(request.body);
}

function canonicalRequest(request: AwsRequest, signature: Signature, payloadHash: string): string {
  const { path, query } = splitUrl(request.url);
  // Every service except S3 encodes the path a second time before signing it.
  const segments = path
    .split('/')
    .map((segment) => uriEncode(isS3(signature) ? percentDecode(segment) : segment));
  const parameters = query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [uriEncode(name), uriEncode(value)] as const)
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(([name, value]) => `${name}=${value}`);
  const headers = signature.signedHeaders.map(
    (name) => `${name}:${(request.headers[name] ?? '').trim().replace(/ +/g, ' ')}\n`,
  );
  return [
    request.method,
    segments.join('/'),
    parameters.join('&'),
    headers.join(''),
    signature.signedHeaders.join(';'),
    payloadHash,
  ].join('\n');
}

function isS3(signature: Signature): boolean {
  return signature.scope[2] === 's3';
}

function uriEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: string | Buffer, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest();
}
