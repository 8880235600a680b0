/** The limits of the contract. */
export const LIMITS = {
  promptCharacters: 10_000,
  echoedPromptCharacters: 200,
  filesPerDeployment: 200,
  fileBytes: 1_048_576,
  deploymentBytes: 10 * 1_048_576,
  /** Images that the caller gives to a generation. */
  imagesPerGeneration: 5,
  pathBytes: 1_024,
  /** Versions that a deployment keeps, including the live one. */
  versionsPerDeployment: 10,
  domainsPerDeployment: 5,
  /** Each costs a distribution tenant, of which an account has 10,000 by default: as many as 500 keys can use up. */
  domainsPerOwner: 20,
  /** ACM issues no certificate whose first name is longer. */
  domainCharacters: 64,
  /** A request body as sent: the limit of API Gateway. */
  sentBodyBytes: 10_485_760,
  /** The decompressed body of a deploy. Decompression stops at this size. */
  decodedDeployBytes: 64 * 1_048_576,
  /** Any other decompressed request body: its text and its values must fit in a function of 512 MB several times. */
  decodedBodyBytes: 16 * 1_048_576,
  charactersPerToken: 4,
} as const;

/** The bounds of a site's data. Its items and bytes may exceed them by the requests in flight. */
export const DATA_LIMITS = {
  collections: 20,
  items: 10_000,
  bytes: 50 * 1_048_576,
  itemBytes: 16_384,
} as const;

/** Items on a page: by default, and at most. */
export const DATA_PAGE = { standard: 50, most: 100 } as const;

/** The bounds of a build; beyond them, the request gets a 413, or after `milliseconds` a 400. */
export const BUILD_LIMITS = {
  packages: 400,
  packedBytes: 60 * 1_048_576,
  unpackedBytes: 250 * 1_048_576,
  outputFiles: 400,
  outputFileBytes: 4 * 1_048_576,
  outputBytes: 10 * 1_048_576,
  milliseconds: 20_000,
  problems: 20,
} as const;

/** The bounds of `env` of a deploy or a build. */
export const VARIABLE_LIMITS = { names: 50, bytes: 4_096 } as const;

/** Defaults of a stage; its configuration can override them. */
export const RATE_LIMIT = {
  windowSeconds: 60,
  anonymous: 10,
  key: 100,
  reads: 600,
  zips: 30,
  reports: 20,
} as const;

/** Defaults of how many generations run at the same time. */
export const RUNNING = { runningAnonymous: 2, runningKey: 10, runningService: 50 } as const;

/** Path of the reference's section on rate limits, under the base URL. */
export const RATE_LIMIT_DOCS = '/docs#rate-limits';

/** Days of views in one response: by default, and at most. They are kept for as long. */
export const VIEWS_DAYS = { standard: 30, most: 90 } as const;
