import { createHash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Account, Bucket, Principal } from '../account.ts';
import { type AwsReply, type AwsRequest, percentDecode, splitUrl } from '../aws-http.ts';
import { type ByteRange, parseByteRange } from '../http.ts';
import { type AccessRequest, authorize, decide, isService } from '../iam.ts';
import type { SignatureFailure } from '../sigv4.ts';
import { type Written, writeXml } from '../xml.ts';
import type { ObjectHead } from './object-file.ts';

/** A parsed request for a bucket or an object. */
export interface S3Request {
  readonly method: string;
  readonly bucketName: string;
  /** Empty for the bucket itself. */
  readonly key: string;
  /** Without the parameters of a presigned URL that represent headers. */
  readonly query: ReadonlyMap<string, string>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A request with a verified signer for an existing bucket. */
export interface S3Call extends S3Request {
  readonly bucket: Bucket;
  /** Authorizes an action on an object, or without a key on the bucket. @throws AccessDenied */
  authorize(action: string, key?: string, context?: Readonly<Record<string, string>>): void;
  /** Returns the same caller's access to another bucket of the account. @throws S3Error if there is none */
  inBucket(name: string): Pick<S3Call, 'authorize'>;
  /** Reports if an action is allowed, as `authorize` does; a denial is not logged. */
  allows(action: string, key?: string, context?: Readonly<Record<string, string>>): boolean;
}

const MAX_KEY_BYTES = 1024;

/** Parses a path-style request. Headers in the query of a presigned URL are returned as headers. */
export function parseRequest({ method, url, headers, body }: AwsRequest): S3Request {
  const { path, query } = splitUrl(url);
  const slash = path.indexOf('/', 1);
  const bucketName = percentDecode(slash < 0 ? path.slice(1) : path.slice(1, slash));
  const isHeader = ([name]: readonly [string, string]) => name.toLowerCase().startsWith('x-amz-');
  const hoisted = query.filter(isHeader).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    method,
    bucketName,
    key: slash < 0 ? '' : decodeKey(path.slice(slash + 1)),
    query: new Map(query.filter((field) => !isHeader(field))),
    headers: { ...Object.fromEntries(hoisted), ...headers },
    body,
  };
}

export function toCall(request: S3Request, account: Account, bucket: Bucket, principal: Principal): S3Call {
  const source = isService(principal) ? sourceContext(request.headers) : {};
  const accessOf =
    (name: string) =>
    (action: string, key?: string, context: AccessRequest['context'] = {}): AccessRequest => ({
      principal,
      action,
      resource: `arn:aws:s3:::${name}${key === undefined ? '' : `/${key}`}`,
      context: { ...source, ...context, 'aws:ResourceAccount': account.accountId },
    });
  const access = accessOf(bucket.name);
  return {
    ...request,
    bucket,
    authorize: (...asked) => authorize(access(...asked), bucket.policy),
    allows: (...asked) => decide(access(...asked), bucket.policy).allowed,
    inBucket: (name) => {
      const other = account.buckets.find((one) => one.name === name);
      if (!other) throw new S3Error('NoSuchBucket', 'The specified bucket does not exist', { BucketName: name });
      return { authorize: (...asked) => authorize(accessOf(name)(...asked), other.policy) };
    },
  };
}

/** Returns the condition keys that say for which resource a service acts. Only services may set them. */
function sourceContext(headers: Readonly<Record<string, string>>): Record<string, string> {
  const arn = headers['x-amz-source-arn'];
  const account = headers['x-amz-source-account'];
  return {
    ...(arn === undefined ? {} : { 'aws:SourceArn': arn }),
    ...(account === undefined ? {} : { 'aws:SourceAccount': account }),
  };
}

function decodeKey(text: string): string {
  let key: string;
  try {
    key = decodeURIComponent(text);
  } catch {
    throw new S3Error('InvalidURI', "Couldn't parse the specified URI.");
  }
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw new S3Error('KeyTooLongError', 'Your key is too long');
  return key;
}

/** Error codes of the S3 API Reference with their HTTP status. */
const STATUS = {
  AccessDenied: 403,
  AccessForbidden: 403,
  AuthorizationHeaderMalformed: 400,
  BadDigest: 400,
  EntityTooLarge: 400,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidDigest: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  InvalidURI: 400,
  KeyTooLongError: 400,
  MalformedXML: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchVersion: 404,
  NotImplemented: 501,
  PreconditionFailed: 412,
  RequestTimeTooSkewed: 403,
  SignatureDoesNotMatch: 403,
  XAmzContentSHA256Mismatch: 400,
} as const;

type S3ErrorCode = keyof typeof STATUS;

export const SIGNATURE_ERRORS: Readonly<Record<SignatureFailure, S3ErrorCode>> = {
  MissingAuthenticationToken: 'AccessDenied',
  IncompleteSignature: 'AuthorizationHeaderMalformed',
  InvalidScope: 'AuthorizationHeaderMalformed',
  InvalidAccessKeyId: 'InvalidAccessKeyId',
  RequestTimeTooSkewed: 'RequestTimeTooSkewed',
  RequestExpired: 'AccessDenied',
  UnsignedHeaders: 'AccessDenied',
  SignatureDoesNotMatch: 'SignatureDoesNotMatch',
  PayloadHashMismatch: 'XAmzContentSHA256Mismatch',
};

/** An error of the S3 API. `detail` has more elements of its body, such as `{ Key: '…' }`. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly code: S3ErrorCode;
  readonly detail: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;

  /** @param headers of the response, in addition to its type */
  constructor(
    code: S3ErrorCode,
    message: string,
    detail: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.code = code;
    this.detail = detail;
    this.headers = headers;
  }

  reply(): AwsReply {
    const elements = Object.entries({ Code: this.code, Message: this.message, ...this.detail });
    return {
      status: STATUS[this.code],
      headers: { ...this.headers, 'content-type': 'application/xml' },
      body: xmlDocument(['Error', elements]),
    };
  }
}

/** Returns an XML document of the S3 API. Its root is in S3's namespace, except for an error. */
export function xmlDocument(root: Written): string {
  const namespace = root[0] === 'Error' ? undefined : 'http://s3.amazonaws.com/doc/2006-03-01/';
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeXml(root, namespace)}`;
}

type Headers = Readonly<Record<string, string>>;

/** Reports whether a reader has the object already (RFC 9110, 13.2.2). */
export function isNotModified(headers: Headers, { etag, lastModified }: ObjectHead): boolean {
  const noneMatch = headers['if-none-match'];
  if (noneMatch === undefined) {
    // HTTP dates have a precision of seconds.
    const modified = Math.floor(lastModified / 1000) * 1000;
    return modified <= Date.parse(headers['if-modified-since'] ?? '');
  }
  const tags = noneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.some((tag) => tag === '*' || tag === etag);
}

/** Checks the precondition of a write (S3 User Guide, "Conditional writes"). @throws S3Error */
export function checkWrite(headers: Headers, existing: ObjectHead | undefined): void {
  const noneMatch = headers['if-none-match'];
  if (noneMatch === undefined) return;
  if (noneMatch !== '*')
    throw new S3Error('NotImplemented', 'Only If-None-Match: * is supported', { Header: 'If-None-Match' });
  if (!existing) return;
  const message = 'At least one of the pre-conditions you specified did not hold';
  throw new S3Error('PreconditionFailed', message, { Condition: 'If-None-Match' });
}

/** Returns the range of a Range header, or undefined for the whole object. @throws S3Error InvalidRange */
export function parseRange(header: string | undefined, size: number): Exclude<ByteRange, 'unsatisfiable'> | undefined {
  const range = header === undefined ? undefined : parseByteRange(header, size);
  if (range !== 'unsatisfiable') return range;
  throw new S3Error('InvalidRange', 'The requested range is not satisfiable', {
    RangeRequested: header ?? '',
    ActualObjectSize: String(size),
  });
}

/** An upload with verified checksums. */
interface Upload {
  /** MD5, hexadecimal. */
  readonly md5: string;
  /** The `x-amz-checksum-*` headers. */
  readonly checksums: Headers;
}

const CHECKSUMS: Readonly<Record<string, (data: Buffer) => Buffer>> = {
  'x-amz-checksum-crc32': (data) => {
    const value = Buffer.alloc(4);
    value.writeUInt32BE(crc32(data));
    return value;
  },
  'x-amz-checksum-sha256': (data) => createHash('sha256').update(data).digest(),
};

/** Verifies Content-MD5 and the checksums. @throws S3Error for an invalid upload */
export function readUpload(headers: Headers, body: Buffer): Upload {
  const payload = headers['x-amz-content-sha256'] ?? '';
  if (payload.startsWith('STREAMING-')) {
    const message = `The local cloud does not support ${payload}`;
    throw new S3Error('NotImplemented', message, { Header: 'x-amz-content-sha256' });
  }
  if (headers['transfer-encoding'] !== undefined)
    throw new S3Error('MissingContentLength', 'You must provide the Content-Length HTTP header.');
  const md5 = createHash('md5').update(body).digest();
  const givenMd5 = headers['content-md5'];
  if (givenMd5 !== undefined) compare('Content-MD5', givenMd5, md5);

  const checksums: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith('x-amz-checksum-') || name === 'x-amz-checksum-mode') continue;
    const calculate = CHECKSUMS[name];
    if (!calculate) throw new S3Error('NotImplemented', `${name} is not supported locally`, { Header: name });
    compare(name, value, calculate(body));
    checksums[name] = value;
  }
  return { md5: md5.toString('hex'), checksums };
}

function compare(name: string, given: string, calculated: Buffer): void {
  const value = Buffer.from(given, 'base64');
  if (value.length !== calculated.length) throw new S3Error('InvalidDigest', `The ${name} you specified is not valid.`);
  if (timingSafeEqual(value, calculated)) return;
  throw new S3Error('BadDigest', `The ${name} you specified did not match what we received.`);
}
