import * as z from 'zod';
import { RUNNING } from '../lambda/contract/limits.ts';
import { pricesConfig as prices } from '../lambda/contract/prices.ts';

const count = z.int().min(1);

/** The most that generations may cost in a UTC day: in US dollars, in tokens as the vendors count them, or in both. */
const budget = z
  .strictObject({ usd: z.number().min(0).optional(), tokens: z.int().min(0).optional() })
  .optional();

/** What generations may cost in a UTC day. Without a key, the defaults of `DEFAULT_BUDGETS` apply if a provider costs money. */
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
    /** Of each address. */
    anonymous: count.default(RUNNING.runningAnonymous),
    /** Of each API key or access token. */
    key: count.default(RUNNING.runningKey),
    /** Of all callers together. */
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
 * fit into the quota of 1,000 that an account usually has, and leave 100 and more for all others.
 */
export const concurrencyConfig = z
  .strictObject({
    /** Starts generations and waits for them. */
    generationApi: count.default(300),
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
    /** As `builds`, of browsers. */
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
  })
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
