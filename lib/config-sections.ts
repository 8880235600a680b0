import * as z from 'zod';
import { RUNNING } from '../lambda/contract/limits.ts';
import { pricesConfig as prices } from '../lambda/contract/prices.ts';

const count = z.int().min(1);

/** The most that generations may cost in a UTC day: in US dollars, in tokens as the vendors count them, or in both. */
const budget = z.strictObject({ usd: z.number().min(0).optional(), tokens: z.int().min(0).optional() }).optional();

/** The budgets of generations in a UTC day. Without a key, `DEFAULT_BUDGETS` apply if a provider costs money. */
export const budgetsConfig = z
  .strictObject({
    /** All callers without a credential together. */
    anonymous: budget,
    /** Each API key or access token; a key can have a budget of its own. */
    key: budget,
    /** All callers together. */
    service: budget,
  })
  .prefault({});

/** How many generations run at the same time. */
export const runningConfig = z
  .strictObject({
    /** The most of each address. */
    anonymous: count.default(RUNNING.runningAnonymous),
    /** The most of each API key or access token. */
    key: count.default(RUNNING.runningKey),
    /** The most of all callers together. */
    service: count.default(RUNNING.runningService),
  })
  .prefault({});

/** Bytes that are deployed or uploaded in a UTC day. */
export const bytesConfig = z
  .strictObject({
    /** Each address. */
    anonymous: count.default(200_000_000),
    /** All addresses together. */
    anonymousTogether: count.default(20_000_000_000),
    /** Each API key or access token. */
    key: count.default(5_000_000_000),
  })
  .prefault({});

/**
 * The reserved concurrency of functions: none can take the share of another, nor more of the account's quota. The defaults
 * fit into the quota of 1,000 that an account usually has, leave 100 for all others, and 50 for updates: Lambda changes the shares one
 * after another, and rejects one that does not fit although another is about to be lowered.
 */
export const concurrencyConfig = z
  .strictObject({
    /** Starts generations and waits for them. */
    generationApi: count.default(250),
    attempts: count.default(180),
    sites: count.default(200),
    deployments: count.default(50),
    /** Deploys by the state machine of generations. */
    generatedDeploys: count.default(30),
    webhooks: count.default(20),
    invalidations: count.default(5),
    agents: count.default(30),
    downloads: count.default(20),
    /** Also bounds the callers whose instances Lambda keeps, to 2.5 times this. */
    builds: count.default(40),
    /** Like `builds`, for browsers. */
    looks: count.default(20),
    /** Looks at deployments: the other browsers are for generations. */
    deploymentLooks: count.default(5),
  })
  .prefault({});

/** Requests to API Gateway of all callers together: per second, and at once, for each path and HTTP method. */
export const throttleConfig = z
  .strictObject({
    rate: count.default(200),
    burst: count.default(400),
    generateRate: count.default(20),
    generateBurst: count.default(100),
    deployRate: count.default(20),
    deployBurst: count.default(100),
    /** People report pages a few times a day, and each report writes an item of up to 60 KB. */
    reportRate: count.default(5),
    reportBurst: count.default(20),
    /** Reads of the data of sites, which pages that watch it repeat. */
    dataRate: count.default(1_000),
    dataBurst: count.default(1_000),
  })
  .prefault({});

/** What visitors of sites may share: see docs/decisions/0081-a-site-has-data.md. */
export const dataConfig = z
  .union(
    [
      z.literal(false),
      z.strictObject({
        /** Items that an address creates, changes or deletes in a minute: a class has one address. */
        writesPerMinute: count.default(300),
        /** Items of a site in a UTC day. */
        creationsPerDay: count.default(5_000),
        /** Items of all sites without an owner in a UTC day. */
        anonymousCreationsPerDay: count.default(50_000),
      }),
    ],
    'must be false, or an object with writesPerMinute, creationsPerDay or anonymousCreationsPerDay',
  )
  .prefault({});

/** The most requests of an address that the web ACL of `waf` allows. A page has up to 200 files. */
export const WEB_ACL_RATES = { windowSeconds: 300, api: 600, pages: 6_000 } as const;

/** The most that each table and its index read and write per second, in request units: what a flood can cost. */
export const tablesConfig = z
  .strictObject({
    maxReadRequestUnits: count.default(4_000),
    maxWriteRequestUnits: count.default(2_000),
  })
  .prefault({});

/** Prices by the vendor's name of a model, in US dollars per million tokens. */
export const pricesConfig = prices.default({});

/** One that no combination of signs reaches, except for URLs that are listed as bad. */
const MOST_POINTS = 250;

const points = z.int().min(10).max(MOST_POINTS, `must be at most ${MOST_POINTS}`);

/** Which pages are held until their owner claims them, or the operator releases them. */
export const gateConfig = z
  .strictObject({
    /** Whether pages are assessed at all. */
    enabled: z.boolean().default(true),
    /** The most points of pages of callers without a credential. */
    anonymousPoints: points.default(50),
    /** The most points of pages of API keys and access tokens. */
    keyPoints: points.default(100),
    /** Path of a list of bad URLs, which is deployed with the functions. By default, none is looked up. */
    badUrls: z.string().min(1).optional(),
  })
  .refine(
    ({ anonymousPoints, keyPoints }) => anonymousPoints <= keyPoints,
    'keyPoints must not be less than anonymousPoints',
  )
  .prefault({});

/** Returns how many points pages may have. */
export function boundsOf({ anonymousPoints, keyPoints }: z.output<typeof gateConfig>): {
  readonly anonymousPoints: number;
  readonly keyPoints: number;
} {
  return { anonymousPoints, keyPoints };
}

/** The retention periods that CloudWatch Logs supports. */
const DAYS = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653];

export const logsConfig = z
  .strictObject({
    /** How many days log groups keep their lines. */
    days: z.literal(DAYS, `must be a retention period of CloudWatch Logs: ${DAYS.join(', ')}`).default(30),
    /** Whether CloudFront logs the requests to the distributions; in us-east-1 only. */
    edge: z.boolean().default(true),
    /** Whether API Gateway logs requests. It needs a role of the whole account and region, which the stack then sets. */
    api: z.boolean().default(false),
  })
  .prefault({});

const receiver = z
  .string()
  .regex(/^([^\s@]+@[^\s@]+\.[^\s@]+|https:\/\/\S+)$/, 'must be an e-mail address or an https URL');

/** The recipients of alarms, and the thresholds that depend on the stage. */
export const alarmsConfig = z
  .strictObject({
    /** Recipients at any hour, such as the https endpoint of an on-call service. */
    page: z.array(receiver).default([]),
    /** Recipients in working hours. */
    ticket: z.array(receiver).default([]),
    /** The path or URL of the runbook in the descriptions of alarms. */
    runbook: z.string().default('docs/runbook.md'),
    /** How many requests beyond a rate limit, in 15 minutes, raise a ticket. */
    limitedRequests: z.int().min(1).default(500),
    /** How many GB of downloads by visitors in a day raise a ticket; 1 TB a month is free. */
    downloadedGB: z.number().positive().default(30),
  })
  .prefault({});

export type AlarmsConfig = z.output<typeof alarmsConfig>;

/** The reserved concurrency of functions by their names in the configuration; one without a value shares what is left. */
export type Concurrency = Partial<z.output<typeof concurrencyConfig>>;

/**
 * What Lambda keeps of an account's quota for functions without a reservation.
 * https://docs.aws.amazon.com/lambda/latest/api/API_PutFunctionConcurrency.html
 */
const UNRESERVED = 100;

export function reservedTogether(concurrency: Concurrency): number {
  return Object.values(concurrency).reduce((sum, reserved) => sum + reserved, 0);
}

/** Returns the part of an account's quota that a stack needs to reserve the concurrency of its functions. */
export function neededQuota(concurrency: Concurrency): number {
  return reservedTogether(concurrency) + UNRESERVED;
}
