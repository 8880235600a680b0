/** Every number of the contract, once. Sizes are bytes, times are in the unit their name says. */
export const LIMITS = {
  promptCharacters: 10_000,
  echoedPromptCharacters: 200,
  filesPerDeployment: 200,
  fileBytes: 1_048_576,
  deploymentBytes: 10 * 1_048_576,
  pathBytes: 1_024,
  /** Versions of a deployment that stay, the live one among them. */
  versionsPerDeployment: 10,
  /** A request body as it is sent: what API Gateway takes. */
  sentBodyBytes: 10_485_760,
  /** What a compressed request body may unpack to; more is refused before it is unpacked whole. */
  decodedBodyBytes: 64 * 1_048_576,
  charactersPerToken: 4,
} as const;

/** The defaults of a stage; its configuration can change them. */
export const RATE_LIMIT = { windowSeconds: 60, anonymous: 10, key: 100 } as const;

/** Where the reference explains a 429, as a path under the base URL. */
export const RATE_LIMIT_DOCS = '/docs#rate-limits';
