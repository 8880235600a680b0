import { RATE_LIMIT_HEADERS, type RequestHeader, type ResponseHeader } from '../headers.ts';
import { RATE_LIMIT_DOCS } from '../limits.ts';

/** A header of a response; `?` marks one that is not always sent. */
export type SentHeader = ResponseHeader | `${ResponseHeader}?`;

/** Headers of every success. Errors may lack them: CloudFront and API Gateway send some errors themselves. */
export const COMMON_HEADERS = ['X-Request-Id', ...RATE_LIMIT_HEADERS] as const;

/** A header field: its meaning, and a JSON schema of its value. */
interface HeaderField {
  readonly description: string;
  readonly schema: {
    readonly type: 'string' | 'integer';
    readonly minimum?: number;
    readonly minLength?: number;
    readonly maxLength?: number;
    readonly pattern?: string;
    readonly format?: 'uri';
    readonly enum?: string[];
  };
}

const version = { type: 'string', pattern: '^"[A-Za-z0-9_-]+"$' } as const;
const token = { type: 'string', pattern: '^ptd_([1-9][0-9]*\\.)?[A-Za-z0-9_-]{43}$' } as const;

export const REQUEST_HEADER_FIELDS: Readonly<Record<RequestHeader, HeaderField>> = {
  Accept: {
    description:
      'With `text/event-stream`, the response to an operation that has events is a stream of them; with `text/csv`, that of a list of data is a table.',
    schema: { type: 'string' },
  },
  'Content-Encoding': {
    description:
      'Coding of the body. With `gzip`, the body of a deploy can have up to 64 MB once decoded, others up to 16 MB.',
    schema: { type: 'string', enum: ['gzip', 'identity'] },
  },
  'Idempotency-Key': {
    description:
      'Makes a POST safe to repeat: for a day, the same key with the same body is not performed again. Visible ASCII characters.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
  'If-Match': {
    description:
      'The `ETag` of the version that the caller expects to be live, a list of at most ten, or `*`. If another version is live, the response is a 412.',
    schema: { type: 'string' },
  },
  'Last-Event-ID': {
    description: 'Id of the last event that the caller received: the stream continues after it.',
    schema: { type: 'integer', minimum: 0 },
  },
  Prefer: {
    description: 'With `respond-async` (RFC 7240), the response does not wait for the generation.',
    schema: { type: 'string' },
  },
  'X-Deployment-Token': {
    description: 'Credential of a deployment that was made without an API key: from the response of its first deploy.',
    schema: token,
  },
};

export const RESPONSE_HEADER_FIELDS: Readonly<Record<ResponseHeader, HeaderField>> = {
  'Accept-Encoding': { description: 'Codings that a body may have.', schema: { type: 'string' } },
  Allow: { description: 'Methods of the path.', schema: { type: 'string' } },
  ETag: { description: 'The live version, in quotes. Send it as `If-Match`.', schema: version },
  Link: {
    description: 'Related URL (RFC 8288), with its relation in `rel`.',
    schema: { type: 'string', pattern: '^<[^>]+>; rel="[a-z-]+"(, <[^>]+>; rel="[a-z-]+")*$' },
  },
  Location: { description: 'URL of the resource, or to follow.', schema: { type: 'string', format: 'uri' } },
  'Preference-Applied': {
    description: 'The preference of `Prefer` that was applied.',
    schema: { type: 'string', enum: ['respond-async'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before the request is repeated.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'The accepted scheme, and what is wrong with the credential (RFC 6750).',
    schema: { type: 'string', pattern: '^Bearer ' },
  },
  'X-RateLimit-Limit': {
    description: `Requests per window. See ${RATE_LIMIT_DOCS}.`,
    schema: { type: 'integer', minimum: 1 },
  },
  'X-RateLimit-Remaining': {
    description: 'Remaining requests in the window.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Reset': {
    description: 'End of the window as Unix time in seconds.',
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Policy': {
    description: 'Requests `q` per window of `w` seconds (draft-ietf-httpapi-ratelimit-headers-10).',
    schema: { type: 'string', pattern: '^"default";q=\\d+;w=\\d+$' },
  },
  RateLimit: {
    description: 'Remaining requests `r` for the next `t` seconds (draft-ietf-httpapi-ratelimit-headers-10).',
    schema: { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$' },
  },
  'X-Deployment-Expires': {
    description: 'Unix time in milliseconds from which the pages are a 410. Absent if the deployment stays.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-Deployment-Token': {
    description:
      'Credential of a deployment that was made without an API key. Only the first response carries it, and later ones to callers that send it.',
    schema: token,
  },
  'X-Deployment-Warning': {
    description:
      'What may not work for visitors, and what to do: that the page is held and why, what `_data.json` allows to whom, a collection that it does not declare, that a rollback kept other rules, files that are not published, the first warnings of a build, or that files of `build: false` are source, which browsers do not run. Absent otherwise.',
    schema: { type: 'string' },
  },
  'X-Generation-Id': {
    description: 'Id of the generation that the response is about.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{21}$' },
  },
  'X-Generation-Look': {
    description:
      '`looked` if a browser looked at the project, `skipped` or `failed` if not: `look` of the generation has the reason. Absent for a project without a page.',
    schema: { type: 'string', enum: ['looked', 'skipped', 'failed'] },
  },
  'X-Generation-Matched': {
    description:
      'The starter project that the embedded provider chose, or `none`. Absent if a model wrote the project.',
    schema: { type: 'string' },
  },
  'X-Generation-Status': {
    description: '`incomplete` if files are missing.',
    schema: { type: 'string', enum: ['succeeded', 'incomplete'] },
  },
  'X-Request-Id': {
    description: 'Identifies the request in the logs of the service.',
    schema: { type: 'string' },
  },
};

/** Descriptions of path parameters, by the path before them. */
export const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  '/api/v1/generations/': 'Id of the generation, from `X-Generation-Id`.',
  '/api/v1/deploy/staged/': 'Id of the stored body, from the `Location` of the 303.',
  '/api/v1/deployments/': 'Id of the deployment.',
  '/api/v1/deployments/{id}/domains/': 'The domain name, such as `www.example.com`.',
  '/api/v1/deployments/{id}/data/': 'Name of the collection.',
  '/api/v1/deployments/{id}/data/{collection}/': 'Id of the item.',
  '/api/v1/assets/user-assets/': 'Id of the asset.',
};
