import type { Account, Bucket, Principal } from '../account.ts';
import type { AwsRequest } from '../aws-http.ts';
import { percentDecode, splitUrl } from '../aws-http.ts';
import { type AccessRequest, authorize, decide, isService } from '../iam.ts';
import { S3Error } from './errors.ts';

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
      if (!other)
        throw new S3Error('NoSuchBucket', 'The specified bucket does not exist', { BucketName: name });
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
