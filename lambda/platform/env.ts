import * as z from 'zod';

// A schema is used a few times in an instance's life: compiling it costs more than it saves.
z.config({ jitless: true });

/** Names of the environment variables, for the code that reads them and the infrastructure that sets them. */
export const ENV = {
  rateLimitsTable: 'RATE_LIMITS_TABLE',
  rateLimit: 'RATE_LIMIT',
  apiKeysTable: 'API_KEYS_TABLE',
  usageTable: 'USAGE_TABLE',
  originSecret: 'ORIGIN_SECRET',
  oauth: 'OAUTH',
  generationsTable: 'GENERATIONS_TABLE',
  generationsBucket: 'GENERATIONS_BUCKET',
  stateMachineArn: 'STATE_MACHINE_ARN',
  providers: 'PROVIDERS',
  providerNames: 'PROVIDER_NAMES',
  deadlines: 'DEADLINES',
  deploymentsTable: 'DEPLOYMENTS_TABLE',
  sitesBucket: 'SITES_BUCKET',
  idSecret: 'ID_SECRET',
  distributionId: 'DISTRIBUTION_ID',
  baseUrl: 'BASE_URL',
  siteOrigin: 'SITE_ORIGIN',
  assetsTable: 'ASSETS_TABLE',
  assetsBucket: 'ASSETS_BUCKET',
  assetRules: 'ASSET_RULES',
} as const;

export type EnvName = (typeof ENV)[keyof typeof ENV];

/** A variable that holds JSON, checked by a schema. */
export const json = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue('is not JSON');
        return z.NEVER;
      }
    })
    .pipe(schema);

/**
 * The environment of a function, read once at cold start.
 * @param shape one schema per variable that the function needs
 * @throws Error that names every variable that is missing or wrong
 */
export function readEnv<T extends Partial<Record<EnvName, z.ZodType>>>(shape: T) {
  const result = z.object(shape as z.ZodRawShape).safeParse(process.env);
  if (!result.success) {
    const wrong = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Error(`The function's environment is wrong: ${wrong.join('; ')}`);
  }
  return result.data as { [Name in keyof T]: z.output<T[Name] & z.ZodType> };
}
