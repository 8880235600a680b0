/**
 * The part of the account that the backend process (S3 and DynamoDB, port 3009) needs. `npm start` derives
 * it from the template, writes it to `<state dir>/account.json` and starts the backend; `npm run backend`
 * restarts the backend from the same file.
 */
export interface Account {
  readonly accountId: string;
  readonly region: string;
  /** By access key id: every role of the template, the operator, and AWS services that sign requests. */
  readonly principals: Readonly<Record<string, Principal>>;
  readonly buckets: readonly Bucket[];
  readonly tables: readonly Table[];
}

/** An identity that signs requests. */
export interface Principal {
  /** A readable name for log lines: a function's logical id, `operator`, `cloudfront.amazonaws.com`. */
  readonly name: string;
  /** `arn:aws:iam::<account>:role/<name>`, or the service's name for a service principal. */
  readonly arn: string;
  /** SigV4 secret of this access key. */
  readonly secretAccessKey: string;
  /** Identity policies, with intrinsics resolved. A service principal has none: resource policies decide. */
  readonly statements: readonly PolicyStatement[];
}

/** A statement of an IAM policy document, in which single values are arrays of one. */
export interface PolicyStatement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  /** Only in resource policies; `*` means everyone. */
  readonly Principal?: readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

export interface Bucket {
  readonly name: string;
  /** True if deleting its stack retains it. */
  readonly retained?: boolean;
  readonly policy: readonly PolicyStatement[];
  /** The lifetimes of noncurrent versions; undefined if the bucket keeps no versions. */
  readonly versions?: readonly VersionRule[];
  /** Without rules, pages of other origins cannot read responses. */
  readonly cors?: readonly CorsRule[];
}

/** A rule of the LifecycleConfiguration of an AWS::S3::Bucket for noncurrent versions. */
export interface VersionRule {
  readonly prefix: string;
  readonly days: number;
}

/** A rule of the CorsConfiguration of an AWS::S3::Bucket. */
export interface CorsRule {
  readonly AllowedOrigins: readonly string[];
  readonly AllowedMethods: readonly string[];
  readonly AllowedHeaders?: readonly string[];
  readonly ExposedHeaders?: readonly string[];
  /** Seconds. */
  readonly MaxAge?: number;
}

/** The parts of a DynamoDB table that the local cloud supports. */
export interface Table {
  readonly name: string;
  /** True if deleting its stack retains it. */
  readonly retained?: boolean;
  readonly keySchema: readonly { readonly AttributeName: string; readonly KeyType: 'HASH' | 'RANGE' }[];
  readonly attributes: readonly { readonly AttributeName: string; readonly AttributeType: 'S' | 'N' | 'B' }[];
  /** True if it has point-in-time recovery. */
  readonly recoverable?: boolean;
  /** Global secondary indexes. */
  readonly indexes?: readonly Index[];
  /** Local secondary indexes, which exist as long as the table. */
  readonly localIndexes?: readonly Index[];
  /** Its maximum throughput, and that of its indexes; by default, none. */
  readonly maxima?: readonly Maximum[];
}

/** The most request units per second that a table or an index may consume. */
export interface Maximum {
  readonly kind: 'Read' | 'Write';
  /** Undefined for the table itself. */
  readonly index?: string | undefined;
  readonly unitsPerSecond: number;
}

export interface Index {
  readonly IndexName: string;
  readonly KeySchema: Table['keySchema'];
  readonly Projection: {
    readonly ProjectionType: 'ALL' | 'KEYS_ONLY' | 'INCLUDE';
    readonly NonKeyAttributes?: readonly string[];
  };
}
