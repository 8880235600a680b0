import type { Account, Bucket, Principal } from '../account.ts';
import type { AwsRequest } from '../aws-http.ts';
import { percentDecode, splitUrl } from '../aws-http.ts';
import { authorize, isService } from '../iam.ts';
import { S3Error } from './errors.ts';

/** A request for a bucket or an object, taken apart. */
export interface S3Request {
  readonly method: string;
  readonly bucketName: string;
  /** Empty when the bucket itself is meant. */
  readonly key: string;
  /** Without the fields of a presigned URL that stand for headers. */
  readonly query: ReadonlyMap<string, string>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A request whose signer is known, for a bucket that exists. */
export interface S3Call extends S3Request {
  readonly bucket: Bucket;
  /** Throws AccessDenied unless the caller may do this with the object, or with the bucket when no key is given. */
  authorize(action: string, key?: string, context?: Readonly<Record<string, string>>): void;
}

const MAX_KEY_BYTES = 1024;

/** Reads a path-style request. A presigned URL carries headers in its query: they count as headers. */
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

/** Joins a request with what the account knows of its bucket and its caller. */
export function toCall(request: S3Request, account: Account, bucket: Bucket, principal: Principal): S3Call {
  const source = isService(principal) ? sourceContext(request.headers) : {};
  return {
    ...request,
    bucket,
    authorize(action, key, context = {}) {
      const resource = `arn:aws:s3:::${bucket.name}${key === undefined ? '' : `/${key}`}`;
      const conditions = { ...source, ...context, 'aws:ResourceAccount': account.accountId };
      authorize({ principal, action, resource, context: conditions }, bucket.policy);
    },
  };
}

/** On whose behalf a service acts; only a service is believed. */
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
