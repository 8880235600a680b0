import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { assetRules } from '../lambda/contract/assets.ts';
import { RATE_LIMIT } from '../lambda/contract/limits.ts';
import { oauthConfig } from '../lambda/contract/oauth.ts';
import { providersConfig } from '../lambda/contract/providers.ts';
import { configMessage } from './config-messages.ts';

const seconds = z.int().min(1);

const domainName = z
  .string()
  .regex(/^([a-z0-9-]+\.)+[a-z0-9-]+$/, 'must be a domain name in lower case, such as sites.example.com');

const certificateArn = z
  .string()
  .startsWith('arn:aws:acm:us-east-1:', 'must be an ACM certificate in us-east-1');

export const stageConfig = z
  .strictObject({
    /** Part of the stack's name, so that an account can hold several. */
    stage: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,19}$/, 'must be 1 to 20 of a-z, 0-9 and -, starting with a letter'),
    providers: providersConfig.default({ 'provider-a': { kind: 'blueprint' } }),
    generation: z
      .strictObject({
        /** The time limit of one attempt; the contract specifies two minutes. */
        providerTimeoutSeconds: seconds
          .max(840, 'must be at most 840: a Lambda function ends after 15 minutes')
          .default(120),
        /** How long a provider may be silent: before its first token, and between two tokens. */
        firstTokenSeconds: z.number().positive().default(45),
        stallSeconds: z.number().positive().default(30),
      })
      .prefault({}),
    rateLimit: z
      .strictObject({
        windowSeconds: seconds.default(RATE_LIMIT.windowSeconds),
        anonymous: seconds.default(RATE_LIMIT.anonymous),
        key: seconds.default(RATE_LIMIT.key),
      })
      .prefault({}),
    /** The issuer of access tokens; by default, a Cognito user pool in the stack. */
    oauth: oauthConfig.optional(),
    deployments: z
      .strictObject({
        /** How long CloudFront may serve a page without asking whether it changed; 0 asks for every request. */
        edgeSeconds: z.int().min(0).max(86_400, 'must be at most 86400, a day').default(0),
      })
      .prefault({}),
    webhooks: z
      .strictObject({
        /** Accepts receivers at private addresses, also with http: for laptops, where nobody else calls the service. */
        allowPrivateAddresses: z.boolean().default(false),
        /** The pauses between the attempts to deliver: about a day, as Standard Webhooks recommends. */
        retrySeconds: z
          .array(seconds.max(86_400, 'must be at most 86400, a day'))
          .default([5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]),
      })
      .prefault({}),
    /** Size and types of user assets. */
    assets: assetRules.prefault({}),
    /** Refuses to delete the tables of user data, also when a first deploy fails and is rolled back. */
    deletionProtection: z.boolean().default(false),
    /** A custom domain instead of CloudFront's; requires `certificateArn`. */
    domainName: domainName.optional(),
    /** An ACM certificate for it, in us-east-1 as CloudFront requires. */
    certificateArn: certificateArn.optional(),
    /** Gives every deployment its own origin, `https://<id>.<siteDomain>/`; requires `siteCertificateArn`. */
    siteDomain: domainName.optional(),
    /** An ACM certificate for `*.<siteDomain>`, in us-east-1. */
    siteCertificateArn: certificateArn.optional(),
  })
  .partial({ stage: true })
  .transform((config) => ({ ...config, stage: config.stage ?? 'prod' }))
  .refine(
    (config) => !config.domainName === !config.certificateArn,
    'domainName and certificateArn must be set together',
  )
  .refine(
    // Browsers resolve names under localhost to their own machine, and the local cloud serves plain HTTP.
    ({ siteDomain, siteCertificateArn }) =>
      !siteDomain === !siteCertificateArn || siteDomain?.endsWith('.localhost'),
    'siteDomain and siteCertificateArn must be set together',
  )
  .refine(
    // Otherwise a deployed page could set cookies for the service.
    ({ siteDomain = '', domainName = '' }) =>
      !siteDomain || !domainName || !`.${siteDomain}`.endsWith(`.${domainName}`),
    'siteDomain must not be domainName or a subdomain of it: deployed pages could set its cookies',
  )
  .refine(
    ({ stage, providers }) =>
      stage === 'test' || Object.values(providers).every(({ kind }) => kind !== 'scripted'),
    'scripted providers are for tests only: they require "stage": "test"',
  );

export type StageConfig = z.output<typeof stageConfig>;

/** Returns the configuration of a stage with all defaults. @throws Error that lists all mistakes */
export function parseConfig(value: unknown, source: string): StageConfig {
  const result = stageConfig.safeParse(value, { error: configMessage });
  if (result.success) return result.data;
  const wrong = result.error.issues.map(
    ({ path, message }) => `  ${path.join('.') || '(the file)'}: ${message}`,
  );
  throw new Error(`Invalid configuration ${source}:\n${wrong.join('\n')}`);
}

/** Reads the configuration file. @throws Error that names the file and lists its mistakes */
export function readConfig(file: string): StageConfig {
  return parseConfig(readJson(file), file);
}

/** Reads the keys that the configuration file sets. @throws Error that names the file and lists its mistakes */
export function readConfigKeys(file: string): object {
  const json = readJson(file);
  parseConfig(json, file);
  return json as object;
}

function readJson(file: string): unknown {
  if (!existsSync(file))
    throw new Error(`The configuration ${file} does not exist: create it, or set CONFIG_FILE`);
  try {
    // Unlike readFileSync, TextDecoder removes the byte order mark that some editors write.
    return JSON.parse(new TextDecoder().decode(readFileSync(file)));
  } catch (error) {
    const { message } = error as Error;
    const problem = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    throw new Error(`The configuration ${file} ${problem}: ${message}`);
  }
}
