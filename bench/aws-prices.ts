/** The day on which the prices were looked up. */
export const PRICES_AS_OF = '2026-11-23';

interface Service {
  readonly source: string;
  /** US dollars by what they are for. */
  readonly prices: Readonly<Record<string, Price>>;
}

interface Price {
  readonly usd: number;
  /** What the price is for: the price of a million if `perMillion`. */
  readonly unit: string;
  readonly perMillion?: true;
}

/** On-demand list prices in us-east-1 and, for CloudFront, of viewers in the USA, without free tiers and volume discounts. */
export const SERVICES = {
  DynamoDB: {
    source: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
    prices: {
      writeUnit: { usd: 0.625, unit: 'write request units', perMillion: true },
      readUnit: { usd: 0.125, unit: 'read request units', perMillion: true },
      recoveryGigabyte: { usd: 0.2, unit: 'a GB a month of point-in-time recovery' },
      restoredGigabyte: { usd: 0.15, unit: 'a GB restored' },
    },
  },
  S3: {
    source: 'https://aws.amazon.com/s3/pricing/',
    prices: {
      s3Write: { usd: 5, unit: '`PUT`, `POST` and `LIST`', perMillion: true },
      s3Read: { usd: 0.4, unit: '`GET`', perMillion: true },
      storedGigabyte: { usd: 0.023, unit: 'a GB a month' },
    },
  },
  Lambda: {
    source: 'https://aws.amazon.com/lambda/pricing/',
    prices: {
      invocation: { usd: 0.2, unit: 'invocations', perMillion: true },
      gigabyteSecond: { usd: 13.3334, unit: 'GB-seconds on arm64', perMillion: true },
      gigabyteSecondX86: { usd: 16.6667, unit: 'GB-seconds on x86', perMillion: true },
    },
  },
  'Step Functions': {
    source: 'https://aws.amazon.com/step-functions/pricing/',
    prices: { transition: { usd: 25, unit: 'state transitions', perMillion: true } },
  },
  'API Gateway': {
    source: 'https://aws.amazon.com/api-gateway/pricing/',
    prices: {
      apiRequest: { usd: 3.5, unit: 'requests to a REST API, throttled ones excepted', perMillion: true },
    },
  },
  CloudFront: {
    source: 'https://aws.amazon.com/cloudfront/pricing/',
    prices: {
      edgeRequest: { usd: 1, unit: 'HTTPS requests', perMillion: true },
      edgeFunction: { usd: 0.1, unit: 'runs of functions', perMillion: true },
      egressGigabyte: { usd: 0.085, unit: 'a GB to viewers, in the first 10 TB of a month' },
      tenantsMonth: { usd: 20, unit: 'a month for the 11th to 200th distribution tenant together' },
      tenantMonth: { usd: 0.1, unit: 'a month for each further one' },
    },
  },
  CloudWatch: {
    source: 'https://aws.amazon.com/cloudwatch/pricing/',
    prices: {
      loggedGigabyte: { usd: 0.5, unit: 'a GB of logs written' },
      alarmMetricMonth: { usd: 0.1, unit: 'a metric of an alarm a month' },
      compositeMonth: { usd: 0.5, unit: 'a composite alarm a month' },
      metricMonth: { usd: 0.3, unit: 'a metric a month, in the first 10,000' },
    },
  },
  'Secrets Manager': {
    source: 'https://aws.amazon.com/secrets-manager/pricing/',
    prices: { secretMonth: { usd: 0.4, unit: 'a secret a month' } },
  },
  Cognito: {
    source: 'https://aws.amazon.com/cognito/pricing/',
    prices: { machineClientMonth: { usd: 6, unit: 'a machine client a month' } },
  },
  WAF: {
    source: 'https://aws.amazon.com/waf/pricing/',
    prices: {
      webAclMonth: { usd: 5, unit: 'a web ACL a month' },
      webAclRuleMonth: { usd: 1, unit: 'a rule a month' },
      inspectedRequest: { usd: 0.6, unit: 'inspected requests', perMillion: true },
    },
  },
} as const satisfies Record<string, Service>;

type PriceName = {
  [Name in keyof typeof SERVICES]: keyof (typeof SERVICES)[Name]['prices'];
}[keyof typeof SERVICES];

const named = Object.values<Service>(SERVICES).flatMap(({ prices }) => Object.entries(prices));

/** The price of one unit in US dollars, by name. */
export const AWS = Object.fromEntries(
  named.map(([name, { usd, perMillion }]) => [name, perMillion ? usd / 1e6 : usd]),
) as Readonly<Record<PriceName, number>>;
