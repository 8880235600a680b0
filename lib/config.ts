import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { assetRules } from '../lambda/contract/assets.ts';
import { buildsConfig } from '../lambda/contract/builds.ts';
import { RATE_LIMIT } from '../lambda/contract/limits.ts';
import { oauthConfig } from '../lambda/contract/oauth.ts';
import { providersConfig } from '../lambda/contract/providers.ts';
import { configMessage } from './config-messages.ts';
import {
  alarmsConfig,
  budgetsConfig,
  bytesConfig,
  concurrencyConfig,
  dataConfig,
  gateConfig,
  logsConfig,
  pricesConfig,
  runningConfig,
  tablesConfig,
  throttleConfig,
} from './config-sections.ts';

const seconds = z.int().min(1);

const domainName = z
  .string()
  .regex(/^([a-z0-9-]+\.)+[a-z0-9-]+$/, 'must be a domain name in lower case, such as sites.example.com');

const certificateArn = z.string().startsWith('arn:aws:acm:us-east-1:', 'must be an ACM certificate in us-east-1');

/** A public hosted zone of Route 53. Synthesis does not look it up. */
const hostedZone = z.strictObject({
  id: z.string().regex(/^Z[A-Z0-9]{1,31}$/, 'must be the id of a hosted zone, such as Z0123456789ABCDEFGHIJ'),
  name: domainName,
});

/** Returns the zone that contains a domain name: the one with the longest matching name. */
export function zoneOf<Zone extends { readonly name: string }>(name: string, zones: readonly Zone[]): Zone | undefined {
  return zones
    .filter((zone) => `.${name}`.endsWith(`.${zone.name}`))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
}

export const stageConfig = z
  .strictObject({
    /** Part of the stack's name, so that an account can hold several. */
    stage: z.string().regex(/^[a-z][a-z0-9-]{0,19}$/, 'must be 1 to 20 of a-z, 0-9 and -, starting with a letter'),
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
        /** Whether callers without a credential may generate. */
        anonymous: z.boolean().default(true),
        running: runningConfig,
      })
      .prefault({}),
    /** The order in which `auto` tries providers. */
    routing: z.enum(['order', 'fastest', 'cheapest']).default('order'),
    prices: pricesConfig,
    budgets: budgetsConfig,
    bytesPerDay: bytesConfig,
    concurrency: concurrencyConfig,
    throttle: throttleConfig,
    tables: tablesConfig,
    /** Whether API Gateway's own address serves requests that do not come through CloudFront. */
    apiGatewayDoor: z.boolean().default(false),
    /** Creates web ACLs with rate rules; in us-east-1 only, as AWS WAF requires for CloudFront. */
    waf: z.boolean().default(false),
    /** A web ACL of yours instead. */
    webAclArn: z
      .string()
      .regex(
        /^arn:aws:wafv2:us-east-1:\d{12}:global\/webacl\/.+/,
        'must be the ARN of a web ACL for CloudFront, in us-east-1',
      )
      .optional(),
    rateLimit: z
      .strictObject({
        windowSeconds: seconds.default(RATE_LIMIT.windowSeconds),
        anonymous: seconds.default(RATE_LIMIT.anonymous),
        key: seconds.default(RATE_LIMIT.key),
        /** Requests per window and caller that do not count otherwise, such as `GET`. */
        reads: seconds.default(RATE_LIMIT.reads),
        /** Zip files per address in five minutes. */
        zips: seconds.default(RATE_LIMIT.zips),
        /** Pages that an address may report in a UTC day. */
        reports: seconds.default(RATE_LIMIT.reports),
      })
      .prefault({}),
    /** The issuer of access tokens: another one, or a Cognito user pool in the stack. By default, no token is accepted. */
    oauth: z
      .union([z.literal('cognito'), oauthConfig], 'must be "cognito", or an object with issuer and audience')
      .optional(),
    deployments: z
      .strictObject({
        /** How long CloudFront may serve a page without asking whether it changed; 0 asks for every request. */
        edgeSeconds: z.int().min(0).max(86_400, 'must be at most 86400, a day').default(0),
        /** How long deployments without an owner stay after their last deploy; 0 keeps them. */
        anonymousDays: z.int().min(0).max(3_650, 'must be at most 3650').default(30),
        /** How many deletions and changes to private a month remove copies from the edge; AWS charges for each beyond 1,000. */
        invalidationsPerMonth: z.int().min(0).default(900),
      })
      .prefault({}),
    /** The recipients and thresholds of alarms. */
    alarms: alarmsConfig,
    /** Whether X-Ray traces requests, functions and executions. */
    tracing: z.boolean().default(false),
    /** Whether the views of deployed pages are counted, without cookies and addresses. */
    analytics: z.boolean().default(true),
    /** A function that uses the service every five minutes as visitors and callers do. */
    canary: z
      .strictObject({
        enabled: z.boolean().default(true),
        /** Whether it generates once an hour with a paid provider, if the stage has no embedded one. */
        generateHourly: z.boolean().default(false),
      })
      .prefault({}),
    gate: gateConfig,
    logs: logsConfig,
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
    /** What visitors of sites may share; `false` turns the data of sites off. */
    data: dataConfig,
    /** Which packages projects that are built may use. */
    builds: buildsConfig.prefault({}),
    /** Whether a browser looks at projects before they are published, and at deployments afterwards. */
    look: z
      .strictObject({
        enabled: z.boolean().default(true),
        /** Whose projects: `paid` leaves out those of the embedded provider. */
        models: z.enum(['all', 'paid']).default('all'),
      })
      .prefault({}),
    /** Size and types of user assets. */
    assets: assetRules.prefault({}),
    /** Where strangers report pages of this stage, besides its own form: an e-mail address, or a page. */
    abuse: z
      .string()
      .regex(
        /^(https:\/\/[\w.-]+(:\d+)?(\/[\x21-\x7e]*)?|[\w.+-]+@([\w-]+\.)+[\w-]+)$/,
        'must be an e-mail address, such as abuse@example.com, or an https URL',
      )
      .optional(),
    /** How the functions that users wait for get a new version: see `Rollout`. */
    rollout: z.enum(['canary', 'all-at-once']).default('canary'),
    /** Refuses to delete the tables of user data, even when a first deploy fails and is rolled back. */
    deletionProtection: z.boolean().default(false),
    /** Zones of Route 53, in which records are created and certificates validated. */
    hostedZones: z.array(hostedZone).default([]),
    /** A custom domain instead of CloudFront's; requires `certificateArn`, or a hosted zone. */
    domainName: domainName.optional(),
    /** An ACM certificate for it, in us-east-1 as CloudFront requires. */
    certificateArn: certificateArn.optional(),
    /** Gives every deployment its own origin, `https://<id>.<siteDomain>/`; requires `siteCertificateArn`, or a hosted zone. */
    siteDomain: domainName.optional(),
    /** An ACM certificate for `*.<siteDomain>`, in us-east-1. */
    siteCertificateArn: certificateArn.optional(),
    /** Whether deployments may have domains of their owners, which a distribution for tenants serves. */
    customDomains: z.boolean().default(false),
  })
  .partial({ stage: true })
  .transform((config) => ({ ...config, stage: config.stage ?? 'prod' }))
  .refine(
    ({ domainName, certificateArn, hostedZones }) => hasCertificate(domainName, certificateArn, hostedZones),
    'domainName and certificateArn must be set together, unless hostedZones has the zone of the domain',
  )
  .refine(
    ({ domainName, siteDomain, hostedZones }) =>
      hostedZones.every((zone) =>
        [domainName, siteDomain].some((name) => name !== undefined && zoneOf(name, hostedZones) === zone),
      ),
    {
      path: ['hostedZones'],
      message: 'must be zones of domainName or siteDomain: remove zones that contain neither',
    },
  )
  .refine(({ generation, look }) => !look.enabled || generation.providerTimeoutSeconds <= 780, {
    path: ['generation', 'providerTimeoutSeconds'],
    message: 'must be at most 780 while look.enabled is true: a Lambda function ends after 15 minutes',
  })
  .refine(
    ({ waf, webAclArn }) => !waf || webAclArn === undefined,
    'waf and webAclArn exclude each other: a distribution has one web ACL',
  )
  .refine(
    // Browsers resolve names under localhost to their own machine, and the local cloud serves plain HTTP.
    ({ siteDomain, siteCertificateArn, hostedZones }) =>
      hasCertificate(siteDomain, siteCertificateArn, hostedZones) || siteDomain?.endsWith('.localhost'),
    'siteDomain and siteCertificateArn must be set together, unless hostedZones has the zone of the domain',
  )
  .refine(
    // Otherwise a deployed page could set cookies for the service.
    ({ siteDomain = '', domainName = '' }) =>
      !siteDomain || !domainName || !`.${siteDomain}`.endsWith(`.${domainName}`),
    'siteDomain must not be domainName or a subdomain of it: deployed pages could set its cookies',
  )
  .refine(
    ({ stage, providers }) => stage === 'test' || Object.values(providers).every(({ kind }) => kind !== 'scripted'),
    'scripted providers are for tests only: they require "stage": "test"',
  );

/** Reports whether a domain has a certificate, configured or created, or neither is configured. */
function hasCertificate(
  name: string | undefined,
  arn: string | undefined,
  zones: readonly { readonly name: string }[],
): boolean {
  if (name === undefined) return arn === undefined;
  return arn !== undefined || zoneOf(name, zones) !== undefined;
}

export type StageConfig = z.output<typeof stageConfig>;

/** Returns the configuration of a stage with all defaults. @throws Error that lists all mistakes */
export function parseConfig(value: unknown, source: string): StageConfig {
  const result = stageConfig.safeParse(value, { error: configMessage });
  if (result.success) return result.data;
  const wrong = result.error.issues
    .flatMap(issuesOf)
    .map(({ path, message }) => `  ${path.join('.') || '(the file)'}: ${message}`);
  throw new Error(`Invalid configuration ${source}:\n${wrong.join('\n')}`);
}

/** Returns the issues of an object that fails the last alternative of a union; otherwise the issue itself. */
function issuesOf(issue: z.core.$ZodIssue): readonly Pick<z.core.$ZodIssue, 'path' | 'message'>[] {
  if (issue.code !== 'invalid_union') return [issue];
  const ofObject = issue.errors.at(-1) ?? [];
  const isObject = ofObject.every(({ code, path }) => code !== 'invalid_type' || path.length > 0);
  if (ofObject.length === 0 || !isObject) return [issue];
  return ofObject.map(({ path, message }) => ({ path: [...issue.path, ...path], message }));
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
  if (!existsSync(file)) throw new Error(`The configuration ${file} does not exist: create it, or set CONFIG_FILE`);
  try {
    // Unlike readFileSync, TextDecoder removes the byte order mark that some editors write.
    return JSON.parse(new TextDecoder().decode(readFileSync(file)));
  } catch (error) {
    const { message } = error as Error;
    const problem = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    throw new Error(`The configuration ${file} ${problem}: ${message}`);
  }
}
