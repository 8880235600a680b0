/**
 * What the backend process (S3 and DynamoDB, port 3009) must know about the account that the template
 * describes. `npm start` resolves the template, writes this as `<state dir>/account.json` and starts the
 * backend; `npm run backend` starts it again from the same file.
 */
export interface Account {
  readonly accountId: string;
  readonly region: string;
  /** By access key id: every role of the template, the operator, and AWS services that act on their own. */
  readonly principals: Readonly<Record<string, Principal>>;
  readonly buckets: readonly Bucket[];
  readonly tables: readonly Table[];
}

/** Somebody who signs requests. */
export interface Principal {
  /** As a person would name it, for log lines: a function's logical id, `operator`, `cloudfront.amazonaws.com`. */
  readonly name: string;
  /** `arn:aws:iam::<account>:role/<name>`, or the service's name for a service principal. */
  readonly arn: string;
  /** SigV4 secret of this access key. */
  readonly secretAccessKey: string;
  /** Identity policies, intrinsics resolved. A service principal has none: resource policies decide. */
  readonly statements: readonly PolicyStatement[];
}

/** One statement of an IAM policy, as in the policy document, lists always as arrays. */
export interface PolicyStatement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  /** Only in resource policies; `*` stands for everybody. */
  readonly Principal?: readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

export interface Bucket {
  readonly name: string;
  readonly policy: readonly PolicyStatement[];
  /** Without rules no browser of another origin may read an answer. */
  readonly cors?: readonly CorsRule[];
}

/** As in the CorsConfiguration of an AWS::S3::Bucket. */
export interface CorsRule {
  readonly AllowedOrigins: readonly string[];
  readonly AllowedMethods: readonly string[];
  readonly AllowedHeaders?: readonly string[];
  readonly ExposedHeaders?: readonly string[];
  /** Seconds. */
  readonly MaxAge?: number;
}

/** The parts of a DynamoDB table that the local cloud acts on. */
export interface Table {
  readonly name: string;
  readonly keySchema: readonly { readonly AttributeName: string; readonly KeyType: 'HASH' | 'RANGE' }[];
  readonly attributes: readonly { readonly AttributeName: string; readonly AttributeType: 'S' | 'N' | 'B' }[];
}
