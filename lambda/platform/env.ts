import * as z from 'zod';

// An instance uses each schema only a few times: compiling it costs more than it saves.
z.config({ jitless: true });

/** Environment variables that the infrastructure sets and the functions read. */
export const ENV = {
  metricsNamespace: 'METRICS_NAMESPACE',
  rateLimitsTable: 'RATE_LIMITS_TABLE',
  rateLimit: 'RATE_LIMIT',
  bytesPerDay: 'BYTES_PER_DAY',
  apiGatewayDoor: 'API_GATEWAY_DOOR',
  apiKeysTable: 'API_KEYS_TABLE',
  usageTable: 'USAGE_TABLE',
  originSecret: 'ORIGIN_SECRET',
  apiUrl: 'API_URL',
  oauth: 'OAUTH',
  generationsTable: 'GENERATIONS_TABLE',
  generationsBucket: 'GENERATIONS_BUCKET',
  stateMachineArn: 'STATE_MACHINE_ARN',
  providers: 'PROVIDERS',
  prices: 'PRICES',
  budgets: 'BUDGETS',
  anonymousGeneration: 'ANONYMOUS_GENERATION',
  routing: 'ROUTING',
  running: 'RUNNING',
  deadlines: 'DEADLINES',
  /** See `siteFeatures`. */
  sites: 'SITES',
  deploymentsTable: 'DEPLOYMENTS_TABLE',
  sitesBucket: 'SITES_BUCKET',
  idSecretArn: 'ID_SECRET_ARN',
  tokenSecretArn: 'TOKEN_SECRET_ARN',
  distributionId: 'DISTRIBUTION_ID',
  baseUrl: 'BASE_URL',
  siteOrigin: 'SITE_ORIGIN',
  abuse: 'ABUSE',
  /** Sets up custom domains, in the background. Absent if the stage has none. */
  domainsArn: 'DOMAINS_ARN',
  /** The name that custom domains point to. */
  domainTarget: 'DOMAIN_TARGET',
  tenantsDistribution: 'TENANTS_DISTRIBUTION',
  connectionGroup: 'CONNECTION_GROUP',
  stackName: 'STACK_NAME',
  ownCallSecretArn: 'OWN_CALL_SECRET_ARN',
  edgeSeconds: 'EDGE_SECONDS',
  invalidationsPerMonth: 'INVALIDATIONS_PER_MONTH',
  withdrawalArn: 'WITHDRAWAL_ARN',
  anonymousDays: 'ANONYMOUS_DAYS',
  /** Absent in the site function if the stage does not count views; then `viewsUncounted` says why to the API. */
  viewsTable: 'VIEWS_TABLE',
  viewsUncounted: 'VIEWS_UNCOUNTED',
  /** The bounds of the gate; absent if the stage has none. */
  gate: 'GATE',
  /** The name of a file beside the bundle; absent if no URL is looked up. */
  badUrls: 'BAD_URLS',
  /** The table of what visitors of sites share. */
  dataTable: 'DATA_TABLE',
  /** The bounds of it. */
  data: 'DATA',
  /** `true` if the stage has turned data off; otherwise absent. */
  dataOff: 'DATA_OFF',
  assetsTable: 'ASSETS_TABLE',
  assetsBucket: 'ASSETS_BUCKET',
  assetRules: 'ASSET_RULES',
  deliveriesArn: 'DELIVERIES_ARN',
  webhookSecretsTable: 'WEBHOOK_SECRETS_TABLE',
  webhookRetrySeconds: 'WEBHOOK_RETRY_SECONDS',
  allowPrivateWebhooks: 'ALLOW_PRIVATE_WEBHOOKS',
  /** See `canarySettings`. */
  canary: 'CANARY',
  buildFunction: 'BUILD_FUNCTION',
  buildVersion: 'BUILD_VERSION',
  buildsBucket: 'BUILDS_BUCKET',
  buildSlots: 'BUILD_SLOTS',
  builds: 'BUILDS',
  /** Absent if the stage does not look; then `lookSkipped` says why. */
  lookFunction: 'LOOK_FUNCTION',
  lookSkipped: 'LOOK_SKIPPED',
  /** The version of the function's code and configuration. */
  lookVersion: 'LOOK_VERSION',
  looksBucket: 'LOOKS_BUCKET',
  lookSlots: 'LOOK_SLOTS',
  lookModels: 'LOOK_MODELS',
  /** Starts the look at a version that was deployed. */
  looksArn: 'LOOKS_ARN',
  /** The machine's browser, for the local cloud. Unset on AWS. */
  chromium: 'PTP_CHROMIUM',
  /** npm's own name of the variable. Unset on AWS; the local cloud passes that of the machine on. */
  npmRegistry: 'npm_config_registry',
} as const;

/** The index of a table's items by owner, newest first, with keys only: the infrastructure creates it for lists. */
export const OWNER_INDEX = { name: 'ByOwner', sortKey: 'createdAt' } as const;

/**
 * The index of deployments by the end of their life, with keys only. Its partition key is one of 36 shards: one partition takes 1,000
 * writes per second.
 */
export const END_INDEX = { name: 'ByEnd', shard: 'endsShard', sortKey: 'endsAt' } as const;

/**
 * The local indexes of the table of data, which read consistently: the items of an author, and those that visitors see. Items have
 * their sort keys only if they belong there. Such indexes can only be created with the table.
 */
export const DATA_INDEXES = {
  author: { name: 'ByAuthor', sortKey: 'authorKey' },
  shown: { name: 'ByShown', sortKey: 'shownKey' },
} as const;

/** The id of the canary's API key, which it renews itself. A random id equals it with a probability of 1 in 3 * 10^21. */
export const CANARY_KEY_ID = 'canary000000';

/** The key of the stage's state in the table of rate limits. It cannot collide with ids of callers, which contain a colon. */
export const STAGE_KEY = '#stage';

/** In place of the id of a staged body that is not to be stored: the role that stores bodies may not write it. */
export const REFUSED_ID = 'refused';

export type EnvName = (typeof ENV)[keyof typeof ENV];

/** Returns the schema of a variable that holds JSON. */
export const json = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue('must be JSON');
        return z.NEVER;
      }
    })
    .pipe(schema);

/** Returns the schema of a variable with JSON that the stack has validated: a large schema takes a millisecond of each cold start. */
export const validJson = <T>() => json(z.custom<T>());

/**
 * Reads and validates the environment of a function; called once per cold start.
 * @param shape a schema for each variable that the function needs
 * @throws Error that names every missing or invalid variable
 */
export function readEnv<T extends Partial<Record<EnvName, z.ZodType>>>(shape: T) {
  const result = z.object(shape as z.ZodRawShape).safeParse(process.env);
  if (!result.success) {
    const problems = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Error(`Invalid environment: ${problems.join('; ')}`);
  }
  return result.data as { [Name in keyof T]: z.output<T[Name] & z.ZodType> };
}
