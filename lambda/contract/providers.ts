import * as z from 'zod';
import { PROVIDER_NAMES } from './generate.ts';
import { quote, text } from './messages.ts';
import { isPlainUrl } from './webhooks.ts';

/** Keys are long, and most vendors give theirs a prefix. */
const LOOKS_LIKE_A_KEY = /^(sk-|AIza)|.{24}/;

/** The name of a secret: an environment variable locally, a Secrets Manager secret on AWS. */
const secretName = z
  .string(text('apiKey', 'the name of the secret that holds the key, such as ANTHROPIC_API_KEY'))
  .regex(/^[A-Z][A-Z0-9_]{0,99}$/, {
    // The message does not repeat the value: it may be a key.
    error: ({ input }) =>
      LOOKS_LIKE_A_KEY.test(String(input))
        ? 'looks like a key: store the key in a secret and set this to the name of the secret, such as ANTHROPIC_API_KEY'
        : 'must be the name of a secret, made of A-Z 0-9 _ and starting with a letter, such as ANTHROPIC_API_KEY',
  });

const baseUrl = z
  .string(text('baseUrl', 'the URL of the server, such as http://127.0.0.1:11434/v1'))
  .refine(
    (value) => isPlainUrl(value) && !/[?#]/.test(value),
    'must be an http or https URL without query, fragment or password, such as http://127.0.0.1:11434/v1',
  );

const REASONING_EFFORTS = ['none', 'low', 'medium', 'high'] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** Settings of every kind of language model. */
const languageModel = {
  /** The vendor's name of the model; responses carry it in `model`. */
  model: z.string(text('model', "the vendor's name of a model")).min(1, 'model is empty'),
  /** Default: 32,000, or the model's limit if the vendor's error names a lower one. */
  maxOutputTokens: z.int().min(1, 'must be at least 1').optional(),
  /** How many tokens of a project's files the model is shown. Default: 100,000; for openai-compatible 24,000. */
  contextTokens: z.int().min(1_000, 'must be at least 1,000').optional(),
  /** Whether the model accepts images. Default: true for anthropic, openai, google, and Claude and Nova (but not Micro) on Bedrock. */
  images: z.boolean('images must be true or false').optional(),
  /** How much the model thinks before it answers. Default: low for models that are known to reason, else the model's own. */
  reasoning: z
    .enum(REASONING_EFFORTS, {
      error: ({ input }) => `must be one of ${REASONING_EFFORTS.join(', ')}, not ${quote(input)}`,
    })
    .optional(),
  /** How many calls of one generation run at the same time. Default: 4; for openai-compatible at a private address 1. */
  parallel: z.int().min(1, 'must be at least 1').max(8, 'must be at most 8').optional(),
};

/** Returns the schema of a vendor's models. By default, `baseUrl` is the one that the vendor documents. */
function vendor<Kind extends string>(kind: Kind) {
  return z.strictObject({
    kind: z.literal(kind),
    ...languageModel,
    apiKey: secretName,
    baseUrl: baseUrl.optional(),
  });
}

/** A provider: one entry of `providers` in a stage's configuration. `scripted` is for tests. */
export const providerConfig = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('blueprint') }),
    /** Amazon Bedrock, called with the function's own role. */
    z.strictObject({
      kind: z.literal('bedrock'),
      ...languageModel,
      /** Default: the region of the stack. */
      region: z
        .string()
        .regex(/^[a-z]{2,4}(-[a-z]+)+-\d$/, 'must be an AWS region, such as us-east-1')
        .optional(),
      /** Default: `https://bedrock-runtime.<region>.amazonaws.com`. Another one is a VPC endpoint, for example. */
      baseUrl: baseUrl.optional(),
    }),
    vendor('anthropic'),
    vendor('google'),
    /** OpenAI's Responses API. */
    vendor('openai'),
    /** Servers with OpenAI's chat completions API: OpenRouter, vLLM, Ollama, LM Studio, llama.cpp. */
    z.strictObject({
      kind: z.literal('openai-compatible'),
      ...languageModel,
      /** The URL without `/chat/completions`, such as `https://openrouter.ai/api/v1`. */
      baseUrl,
      /** Self-hosted servers often need none. */
      apiKey: secretName.optional(),
    }),
    z.strictObject({
      kind: z.literal('scripted'),
      /** `hang` never responds, `block` blocks the thread, `cut` ends in the middle of its only file. */
      script: z.enum(['answer', 'hang', 'block', 'fail', 'cut']),
      /** Milliseconds before `answer` starts. */
      delayMs: z.int().min(0).default(0),
    }),
  ],
  {
    error: ({ input }) => {
      if (typeof input !== 'object' || input === null)
        return 'must be an object with a kind, such as { "kind": "blueprint" }';
      const { kind } = input as { kind?: unknown };
      const known = 'one of bedrock, anthropic, openai, google, openai-compatible, blueprint';
      return kind === undefined ? `kind is required: ${known}` : `kind must be ${known}, not ${quote(kind)}`;
    },
  },
);

export const providersConfig = z
  .partialRecord(z.enum(PROVIDER_NAMES), providerConfig)
  .refine((providers) => Object.keys(providers).length > 0, 'must have at least one of provider-a to provider-d');

export type ProviderConfig = z.output<typeof providerConfig>;
export type ConfigOf<Kind extends ProviderConfig['kind']> = Extract<ProviderConfig, { kind: Kind }>;
/** The configuration of a language model. */
export type ModelConfig = Exclude<ProviderConfig, { kind: 'blueprint' | 'scripted' }>;
export type ProvidersConfig = z.output<typeof providersConfig>;
