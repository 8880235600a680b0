import { randomUUID } from 'node:crypto';
import type { Account, CorsRule } from '../account.ts';
import type { AwsReply, AwsRequest } from '../aws-http.ts';
import { AccessDenied } from '../iam.ts';
import type { AwsService, Verification } from '../sigv4.ts';
import { parseRequest, type S3Call, S3Error, type S3Request, SIGNATURE_ERRORS, toCall } from './call.ts';
import { deleteObjects, listObjects, listVersions } from './many-objects.ts';
import {
  copyObject,
  deleteObject,
  deleteObjectTagging,
  getObject,
  getObjectTagging,
  headObject,
  putObject,
  RESPONSE_QUERY,
} from './objects.ts';
import { ObjectStore } from './store.ts';

interface Operation {
  readonly run: (call: S3Call, store: ObjectStore) => AwsReply | Promise<AwsReply>;
  /** The query parameters and headers that it supports, in addition to those of every operation. */
  readonly query: readonly string[];
  readonly headers: readonly string[];
}

const READ_HEADERS = ['range', 'if-none-match', 'if-modified-since'];

/** The headers without `x-amz-` that change what an operation does. */
const RELEVANT_HEADERS = [...READ_HEADERS, 'if-match', 'if-unmodified-since'];
const LIST_QUERY = ['list-type', 'prefix', 'max-keys', 'continuation-token'];
const LIST_VERSIONS_QUERY = ['versions', 'prefix', 'max-keys', 'key-marker', 'version-id-marker'];

/** By method and sub-resource, for an object and for a bucket. */
const OBJECT_OPERATIONS: Readonly<Record<string, Operation>> = {
  PUT: { run: putObject, query: [], headers: ['if-none-match', 'x-amz-tagging'] },
  'PUT copy': { run: copyObject, query: [], headers: ['x-amz-copy-source'] },
  GET: { run: getObject, query: [...RESPONSE_QUERY, 'versionId'], headers: READ_HEADERS },
  HEAD: { run: headObject, query: [...RESPONSE_QUERY, 'versionId'], headers: READ_HEADERS },
  DELETE: { run: deleteObject, query: ['versionId'], headers: [] },
  'GET tagging': { run: getObjectTagging, query: ['tagging'], headers: [] },
  'DELETE tagging': { run: deleteObjectTagging, query: ['tagging'], headers: [] },
};
const BUCKET_OPERATIONS: Readonly<Record<string, Operation>> = {
  GET: { run: listObjects, query: LIST_QUERY, headers: [] },
  'GET versions': { run: listVersions, query: LIST_VERSIONS_QUERY, headers: [] },
  POST: { run: deleteObjects, query: ['delete'], headers: [] },
};

/** The supported or irrelevant `x-amz-` headers, in addition to metadata and checksums. */
const AMZ_HEADERS = [
  'x-amz-algorithm',
  'x-amz-checksum-mode',
  'x-amz-content-sha256',
  'x-amz-credential',
  'x-amz-date',
  'x-amz-expires',
  'x-amz-sdk-checksum-algorithm',
  'x-amz-security-token',
  'x-amz-signature',
  'x-amz-signedheaders',
  'x-amz-source-account',
  'x-amz-source-arn',
  'x-amz-user-agent',
];

/** S3 with the buckets of one account, path-style, stored on disk. */
export class S3 implements AwsService {
  readonly signingName = 's3';
  readonly maxBodyBytes = 64 * 1024 * 1024;
  readonly bodyTooLarge = new S3Error(
    'EntityTooLarge',
    'Your proposed upload exceeds the maximum allowed object size of the local cloud.',
    { MaxSizeAllowed: String(64 * 1024 * 1024) },
  ).reply();
  readonly #account: Account;
  readonly #store: ObjectStore;

  constructor(account: Account, path: string) {
    this.#account = account;
    this.#store = new ObjectStore(path, account.buckets);
  }

  /** Returns the reply to a request, which may be an error of the S3 API. */
  async handle(incoming: AwsRequest, verification: Verification): Promise<AwsReply> {
    const requestId = { 'x-amz-request-id': randomUUID() };
    try {
      const request = parseRequest(incoming);
      const rules = this.#account.buckets.find(({ name }) => name === request.bucketName)?.cors ?? [];
      const reply = await this.#reply(request, verification).catch(errorReply);
      const cors = corsHeaders(rules, request.method, request.headers);
      return { ...reply, headers: { ...requestId, ...cors, ...reply.headers } };
    } catch (error) {
      const reply = errorReply(error);
      return { ...reply, headers: { ...requestId, ...reply.headers } };
    }
  }

  async #reply(request: S3Request, verification: Verification): Promise<AwsReply> {
    const { method, bucketName, key, headers } = request;
    const bucket = this.#account.buckets.find(({ name }) => name === bucketName);
    if (method === 'OPTIONS') return preflight(bucket?.cors ?? [], headers);
    if ('failure' in verification) {
      throw new S3Error(SIGNATURE_ERRORS[verification.failure], verification.message);
    }
    if (bucketName === '') throw new S3Error('NotImplemented', 'The local cloud does not list buckets');
    if (!bucket) {
      throw new S3Error('NoSuchBucket', 'The specified bucket does not exist', { BucketName: bucketName });
    }
    const name = operationName(request);
    const operation = (key === '' ? BUCKET_OPERATIONS : OBJECT_OPERATIONS)[name];
    if (!operation) {
      throw new S3Error('MethodNotAllowed', 'The specified method is not allowed against this resource.', {
        Method: method,
        ResourceType: key === '' ? 'BUCKET' : 'OBJECT',
      });
    }
    refuseUnknown(request, operation);
    return operation.run(toCall(request, this.#account, bucket, verification.principal), this.#store);
  }
}

function operationName({ method, query, headers }: S3Request): string {
  if (method === 'PUT' && headers['x-amz-copy-source'] !== undefined) return 'PUT copy';
  const subResource = ['tagging', 'versions'].find((name) => query.has(name));
  return subResource === undefined ? method : `${method} ${subResource}`;
}

/** Rejects what the local cloud would ignore, so that nothing behaves differently from AWS. */
function refuseUnknown({ query, headers }: S3Request, operation: Operation): void {
  const parameter = [...query.keys()].find((name) => name !== 'x-id' && !operation.query.includes(name));
  if (parameter !== undefined) {
    throw new S3Error('NotImplemented', `The local cloud does not support the S3 parameter ${parameter}`, {
      Parameter: parameter,
    });
  }
  const header = Object.keys(headers).find((name) => {
    if (/^x-amz-(meta|checksum)-/.test(name)) return false;
    const relevant = name.startsWith('x-amz-') ? !AMZ_HEADERS.includes(name) : RELEVANT_HEADERS.includes(name);
    return relevant && !operation.headers.includes(name);
  });
  if (header === undefined) return;
  throw new S3Error('NotImplemented', `The local cloud does not support the header ${header} here`, {
    Header: header,
  });
}

function errorReply(error: unknown): AwsReply {
  if (error instanceof S3Error) return error.reply();
  if (error instanceof AccessDenied) return new S3Error('AccessDenied', error.message).reply();
  console.error(error);
  return new S3Error('InternalError', 'We encountered an internal error. Please try again.').reply();
}

type Headers = Readonly<Record<string, string>>;

/** Returns the `access-control-*` headers of the response to this request; none when no rule matches. */
function corsHeaders(rules: readonly CorsRule[], method: string, headers: Headers): Headers {
  const origin = headers.origin;
  if (origin === undefined) return {};
  const requested = (headers['access-control-request-headers'] ?? '').split(',').map((name) => name.trim());
  const rule = rules.find(
    (candidate) =>
      candidate.AllowedMethods.includes(method) &&
      covers(candidate.AllowedOrigins, origin) &&
      requested.every((name) => name === '' || covers(candidate.AllowedHeaders ?? [], name)),
  );
  if (!rule) return {};
  const anyOrigin = rule.AllowedOrigins.includes('*');
  return {
    'access-control-allow-origin': anyOrigin ? '*' : origin,
    ...(anyOrigin ? {} : { 'access-control-allow-credentials': 'true' }),
    'access-control-allow-methods': rule.AllowedMethods.join(', '),
    ...(requested.join('') === '' ? {} : { 'access-control-allow-headers': requested.join(', ').toLowerCase() }),
    ...(rule.ExposedHeaders ? { 'access-control-expose-headers': rule.ExposedHeaders.join(', ') } : {}),
    ...(rule.MaxAge === undefined ? {} : { 'access-control-max-age': String(rule.MaxAge) }),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  };
}

/** Returns the reply to a preflight request, which is not signed. @throws S3Error AccessForbidden */
function preflight(rules: readonly CorsRule[], headers: Headers): AwsReply {
  const allowed = corsHeaders(rules, headers['access-control-request-method'] ?? '', headers);
  if (Object.keys(allowed).length > 0) return { status: 200, headers: allowed, body: '' };
  throw new S3Error('AccessForbidden', 'CORSResponse: This CORS request is not allowed.');
}

/** Reports whether a pattern matches; each may contain one `*`. */
function covers(patterns: readonly string[], value: string): boolean {
  return patterns.some((pattern) => {
    const [start = '', end] = pattern.toLowerCase().split('*');
    const text = value.toLowerCase();
    if (end === undefined) return text === start;
    return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
  });
}
