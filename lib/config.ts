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

const stageConfig = z
  .strictObject({
    /** Part of the stack's name, so that an account can hold several. */
    stage: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,19}$/, 'must be 1 to 20 of a-z 0-9 -, and start with a letter'),
    providers: providersConfig.default({ 'provider-a': { kind: 'blueprint' } }),
    generation: z
      .strictObject({
        /** How long one provider may take, as the contract says it: two minutes. */
        providerTimeoutSeconds: seconds
          .max(840, 'must leave room within the 15 minutes of a Lambda function')
          .default(120),
        /** How long it may be silent: before its first token, and between two. */
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
    /** Whose access tokens are taken; left out, the stack has an issuer of its own. */
    oauth: oauthConfig.optional(),
    /** What may be uploaded as a user asset. */
    assets: assetRules.prefault({}),
    /** A name of your own instead of CloudFront's; needs `certificateArn`. */
    domainName: domainName.optional(),
    /** An ACM certificate for it, in us-east-1 as CloudFront demands. */
    certificateArn: certificateArn.optional(),
    /** Gives every deployment an origin of its own, `https://<id>.<siteDomain>/`; needs `siteCertificateArn`. */
    siteDomain: domainName.optional(),
    /** An ACM certificate for `*.<siteDomain>`, in us-east-1. */
    siteCertificateArn: certificateArn.optional(),
  })
  .partial({ stage: true })
  .transform((config) => ({ ...config, stage: config.stage ?? 'prod' }))
  .refine(
    (config) => !config.domainName === !config.certificateArn,
    'domainName and certificateArn go together',
  )
  .refine(
    // A browser resolves every name under localhost to the machine it runs on, and the local cloud speaks plain HTTP.
    ({ siteDomain, siteCertificateArn }) =>
      !siteDomain === !siteCertificateArn || siteDomain?.endsWith('.localhost'),
    'siteDomain and siteCertificateArn go together',
  )
  .refine(
    // A deployed page could set cookies for the service, or the service for deployed pages.
    ({ siteDomain = '', domainName = '' }) =>
      !siteDomain || !domainName || !`.${siteDomain}`.endsWith(`.${domainName}`),
    'siteDomain must not be part of domainName: deployed pages could set cookies for it',
  )
  .refine(
    ({ stage, providers }) =>
      stage === 'test' || Object.values(providers).every(({ kind }) => kind !== 'scripted'),
    'scripted providers are for tests: they need "stage": "test"',
  );

export type StageConfig = z.output<typeof stageConfig>;

/** The configuration of a stage, every default filled in. @throws Error that names what is wrong */
export function parseConfig(value: unknown, source: string): StageConfig {
  const result = stageConfig.safeParse(value, { error: configMessage });
  if (result.success) return result.data;
  const wrong = result.error.issues.map(
    ({ path, message }) => `  ${path.join('.') || '(the file)'}: ${message}`,
  );
  throw new Error(`The configuration ${source} is wrong:\n${wrong.join('\n')}`);
}

/** Reads the configuration file. @throws Error that names the file and what is wrong with it */
export function readConfig(file: string): StageConfig {
  if (!existsSync(file))
    throw new Error(`There is no configuration ${file}: set CONFIG_FILE, or add it under config/`);
  return parseConfig(readJson(file), file);
}

function readJson(file: string): unknown {
  try {
    // Some editors begin a file with a byte order mark, which the decoder drops.
    return JSON.parse(new TextDecoder().decode(readFileSync(file)));
  } catch (error) {
    const { message } = error as Error;
    const what = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    throw new Error(`The configuration ${file} ${what}: ${message}`);
  }
}
