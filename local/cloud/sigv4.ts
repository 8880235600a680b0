import { hash, timingSafeEqual } from 'node:crypto';
import { escapeUri } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { ALGORITHM_IDENTIFIER, getCanonicalHeaders, SignatureV4 } from '@smithy/signature-v4';
import type { Principal } from './account.ts';
import { type AwsReply, type AwsRequest, percentDecode, splitUrl } from './aws-http.ts';
import { valuesByName } from './http.ts';

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

/** An AWS service on the backend's shared port, which gets the outcome of the verification with each request. */
export interface AwsService {
  /** The name of the service in the scope of a signature. */
  readonly signingName: string;
  readonly maxBodyBytes: number;
  /** The response to a body over `maxBodyBytes`. */
  readonly bodyTooLarge: AwsReply;
  handle(request: AwsRequest, verification: Verification): Promise<AwsReply>;
}

/** The required scope of a credential, such as `{ service: 's3', region: 'eu-central-1' }`. */
interface Scope {
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

/** The clock skew that S3 and the other services accept. */
const SKEW_MS = { s3: 15 * 60_000, other: 5 * 60_000 };
const MAX_EXPIRES_SECONDS = 7 * 24 * 3600;

/**
 * Verifies Signature Version 4 in the Authorization header or in the query of a presigned URL, and returns the
 * signer; see "Create a signed AWS API request" in the IAM User Guide. `now` is in Unix milliseconds.
 */
export async function verify(
  request: AwsRequest,
  scope: Scope,
  principals: Readonly<Record<string, Principal>>,
  now: number = Date.now(),
): Promise<Verification> {
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

  return checkTime(signature, now) ?? (await checkSignature(request, signature, principal)) ?? { principal };
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
  const complete = algorithm === ALGORITHM_IDENTIFIER && signedHeaders.includes('host');
  if (!complete || !accessKeyId || !time || !signature) return undefined;
  return { accessKeyId, scope, time, signedHeaders, signature };
}

function authorizationFields(header: string): Map<string, string> {
  const fields = header.slice(ALGORITHM_IDENTIFIER.length).split(',');
  return new Map(
    fields.map((field): [string, string] => {
      const [name, ...value] = field.trim().split('=');
      return [name ?? '', value.join('=')];
    }),
  );
}

/** Returns an invalid date unless the time has the form `20261122T090000Z`. */
function timeOf({ time }: Signature): Date {
  return new Date(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

function checkTime(signature: Signature, now: number): Verification | undefined {
  const age = now - timeOf(signature).getTime();
  if (Number.isNaN(age)) return fail('IncompleteSignature', 'X-Amz-Date must be in ISO 8601 basic format');
  const skew = isS3(signature) ? SKEW_MS.s3 : SKEW_MS.other;
  const lifetime = signature.expiresSeconds === undefined ? skew : signature.expiresSeconds * 1000;
  if (age > lifetime && signature.expiresSeconds !== undefined) return fail('RequestExpired', 'Request has expired');
  if (age > lifetime || age < -skew) {
    return fail('RequestTimeTooSkewed', 'The difference between the request time and the current time is too large');
  }
  return undefined;
}

async function checkSignature(
  request: AwsRequest,
  signature: Signature,
  principal: Principal,
): Promise<Verification | undefined> {
  const unsigned = Object.keys(request.headers).filter(
    (name) => name.startsWith('x-amz-') && !signature.signedHeaders.includes(name),
  );
  if (unsigned.length > 0) {
    const message = `There were headers present in the request which were not signed: ${unsigned.join(', ')}`;
    return fail('UnsignedHeaders', message);
  }
  const payloadHash = declaredPayloadHash(request, signature);
  const signer = new Signer(signature, principal);
  const wanted = Buffer.from(await signer.signatureOf(request, signature, payloadHash), 'hex');
  const given = Buffer.from(signature.signature, 'hex');
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    return fail('SignatureDoesNotMatch', 'The signature does not match the one calculated from the request');
  }
  if (/^[0-9a-f]{64}$/.test(payloadHash) && payloadHash !== hash('sha256', request.body)) {
    return fail('PayloadHashMismatch', 'The x-amz-content-sha256 of the request does not match its body');
  }
  return undefined;
}

/** Returns the signed hash of the body. S3 allows unsigned bodies, and a presigned URL cannot sign the body. */
function declaredPayloadHash(request: AwsRequest, signature: Signature): string {
  const declared =
    request.headers['x-amz-content-sha256'] ?? new Map(splitUrl(request.url).query).get('X-Amz-Content-Sha256');
  if (declared !== undefined) return declared;
  return isS3(signature) && signature.expiresSeconds !== undefined ? 'UNSIGNED-PAYLOAD' : hash('sha256', request.body);
}

class Sha256 extends Hash {
  constructor(secret?: ConstructorParameters<typeof Hash>[1]) {
    super('sha256', secret);
  }
}

/** Signs a request as the client of a signature did: at its time, and only the headers that it signed. */
class Signer extends SignatureV4 {
  constructor(signature: Signature, { secretAccessKey }: Principal) {
    const [, region = '', service = ''] = signature.scope;
    const credentials = { accessKeyId: signature.accessKeyId, secretAccessKey };
    // Every service except S3 encodes the path a second time before signing it.
    super({ region, service, credentials, sha256: Sha256, uriEscapePath: !isS3(signature) });
  }

  async signatureOf(request: AwsRequest, signature: Signature, payloadHash: string): Promise<string> {
    const { path, query } = splitUrl(request.url);
    const s3Path = path.split('/').map((segment) => escapeUri(percentDecode(segment)));
    const headers = Object.fromEntries(signature.signedHeaders.map((name) => [name, request.headers[name] ?? '']));
    const signed = {
      protocol: 'http:',
      hostname: '',
      method: request.method,
      path: isS3(signature) ? s3Path.join('/') : path,
      query: valuesByName(query),
      headers,
    };
    const canonical = this.createCanonicalRequest(
      signed,
      getCanonicalHeaders(signed, undefined, new Set(signature.signedHeaders)),
      payloadHash,
    );
    const scope = signature.scope.join('/');
    const text = await this.createStringToSign(signature.time, scope, canonical, ALGORITHM_IDENTIFIER);
    return this.sign(text, { signingDate: timeOf(signature) });
  }
}

function isS3(signature: Signature): boolean {
  return signature.scope[2] === 's3';
}
