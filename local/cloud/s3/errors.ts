import type { AwsReply } from '../aws-http.ts';
import type { SignatureFailure } from '../sigv4.ts';
import { xmlDocument } from './xml.ts';

/** Error codes of the S3 API Reference with their HTTP status. */
const STATUS = {
  AccessDenied: 403,
  AccessForbidden: 403,
  AuthorizationHeaderMalformed: 400,
  BadDigest: 400,
  EntityTooLarge: 400,
  IncompleteBody: 400,
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

export type S3ErrorCode = keyof typeof STATUS;

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
