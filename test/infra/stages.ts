const certificate = (name: string) => `arn:aws:acm:us-east-1:111122223333:certificate/${name}`;

/** The issuer of access tokens of the lean stage. */
export const ISSUER = {
  issuer: 'https://example.eu.auth0.com/',
  audience: 'https://api.example.com',
  scopePrefix: 'https://api.example.com',
};
/** The web ACL of the lean stage. */
export const OWN_ACL = 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/mine/0123';
export const PRICE = { input: 1, output: 2 };
export const CERTIFICATES = { service: certificate('service'), sites: certificate('sites') };

/** The configurations whose templates the tests read. Each is synthesized once: see `start-templates.ts`. */
export const STAGES = {
  byDefault: {},
  /** Every option that adds something. */
  full: {
    stage: 'staging',
    domainName: 'ptp.example.com',
    certificateArn: CERTIFICATES.service,
    siteDomain: 'sites.example.net',
    siteCertificateArn: CERTIFICATES.sites,
    customDomains: true,
    waf: true,
    oauth: 'cognito',
    tracing: true,
    deletionProtection: true,
    webhooks: { allowPrivateAddresses: true },
    logs: { days: 7, api: true },
    alarms: {
      page: ['https://on-call.example.com/'],
      ticket: ['me@example.com'],
      runbook: 'https://git.example/r.md',
    },
    providers: {
      'provider-a': { kind: 'anthropic', model: 'm', apiKey: 'ANTHROPIC_API_KEY' },
      'provider-b': { kind: 'bedrock', model: 'zai.glm-4.6', region: 'eu-west-1' },
      'provider-c': { kind: 'bedrock', model: 'us.anthropic.claude-x-v1:0' },
      'provider-d': { kind: 'blueprint' },
    },
    prices: { 'zai.glm-4.6': PRICE, another: PRICE },
    budgets: { anonymous: { tokens: 7 } },
    gate: { anonymousPoints: 30, badUrls: 'package.json' },
    concurrency: { sites: 7, invalidations: 1 },
    throttle: {
      rate: 11,
      burst: 12,
      generateRate: 13,
      generateBurst: 14,
      deployRate: 15,
      deployBurst: 16,
      reportRate: 19,
      reportBurst: 20,
      dataRate: 24,
      dataBurst: 25,
    },
    tables: { maxReadRequestUnits: 17, maxWriteRequestUnits: 18 },
    data: { writesPerMinute: 21, creationsPerDay: 22, anonymousCreationsPerDay: 23 },
  },
  /** Every option that leaves something out. */
  lean: {
    data: false,
    siteDomain: 'sites.localhost',
    webAclArn: OWN_ACL,
    oauth: ISSUER,
    rollout: 'all-at-once',
    analytics: false,
    canary: { enabled: false },
    gate: { enabled: false, badUrls: 'package.json' },
    logs: { edge: false },
    generation: { providerTimeoutSeconds: 77 },
    providers: {
      'provider-a': { kind: 'openai-compatible', model: 'm', baseUrl: 'http://127.0.0.1:11434/v1' },
    },
  },
  /** Hosted zones, pages that the edge keeps, and a paid provider with which the canary generates hourly. */
  zones: {
    domainName: 'ptp.example.com',
    siteDomain: 'ptp-sites.net',
    hostedZones: [
      { id: 'Z1', name: 'example.com' },
      { id: 'Z2', name: 'ptp-sites.net' },
    ],
    deployments: { edgeSeconds: 30 },
    providers: { 'provider-b': { kind: 'anthropic', model: 'm', apiKey: 'ANTHROPIC_API_KEY' } },
    canary: { generateHourly: true },
  },
} as const;

export type StageName = keyof typeof STAGES;
export const STAGE_NAMES = Object.keys(STAGES) as StageName[];
