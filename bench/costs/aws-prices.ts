/** The day on which the prices were looked up. */
export const PRICES_AS_OF = '2026-11-23';

interface Price {
  /** In US dollars per unit. */
  readonly usd: number;
  readonly unit: string;
  readonly source: string;
}

/** On-demand list prices in us-east-1 and, for CloudFront, of viewers in the USA, without free tiers and volume discounts. */
export const AWS = {
  writeUnit: {
    usd: 0.625e-6,
    unit: 'DynamoDB write request unit',
    source: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
  },
  readUnit: {
    usd: 0.125e-6,
    unit: 'DynamoDB read request unit',
    source: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
  },
  s3Write: { usd: 5e-6, unit: 'S3 PUT, POST or LIST', source: 'https://aws.amazon.com/s3/pricing/' },
  s3Read: { usd: 0.4e-6, unit: 'S3 GET', source: 'https://aws.amazon.com/s3/pricing/' },
  storedGigabyte: {
    usd: 0.023,
    unit: 'GB in S3 Standard, per month',
    source: 'https://aws.amazon.com/s3/pricing/',
  },
  transition: {
    usd: 25e-6,
    unit: 'state transition of Step Functions',
    source: 'https://aws.amazon.com/step-functions/pricing/',
  },
  invocation: {
    usd: 0.2e-6,
    unit: 'invocation of a function',
    source: 'https://aws.amazon.com/lambda/pricing/',
  },
  gigabyteSecond: {
    usd: 13.3334e-6,
    unit: 'GB-second of a function on arm64',
    source: 'https://aws.amazon.com/lambda/pricing/',
  },
  apiRequest: {
    usd: 3.5e-6,
    unit: 'request to the REST API; throttled ones are free',
    source: 'https://aws.amazon.com/api-gateway/pricing/',
  },
  edgeRequest: {
    usd: 1e-6,
    unit: 'HTTPS request to CloudFront',
    source: 'https://aws.amazon.com/cloudfront/pricing/',
  },
  edgeFunction: {
    usd: 0.1e-6,
    unit: 'run of a CloudFront function',
    source: 'https://aws.amazon.com/cloudfront/pricing/',
  },
  egressGigabyte: {
    usd: 0.085,
    unit: 'GB from CloudFront to viewers, the first 10 TB of a month',
    source: 'https://aws.amazon.com/cloudfront/pricing/',
  },
  loggedGigabyte: {
    usd: 0.5,
    unit: 'GB written to CloudWatch Logs',
    source: 'https://aws.amazon.com/cloudwatch/pricing/',
  },
  secretMonth: {
    usd: 0.4,
    unit: 'secret, per month',
    source: 'https://aws.amazon.com/secrets-manager/pricing/',
  },
  machineClientMonth: {
    usd: 6,
    unit: 'machine client of Cognito, per month',
    source: 'https://aws.amazon.com/cognito/pricing/',
  },
  webAclMonth: { usd: 5, unit: 'web ACL, per month', source: 'https://aws.amazon.com/waf/pricing/' },
  webAclRuleMonth: {
    usd: 1,
    unit: 'rule of a web ACL, per month',
    source: 'https://aws.amazon.com/waf/pricing/',
  },
  inspectedRequest: {
    usd: 0.6e-6,
    unit: 'request that a web ACL inspects',
    source: 'https://aws.amazon.com/waf/pricing/',
  },
} as const satisfies Record<string, Price>;
