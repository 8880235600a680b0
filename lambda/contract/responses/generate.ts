import * as z from 'zod';
import { DURATIONS, MODELS, PROVIDER_NAMES } from '../generate.ts';
import { LIMITS } from '../limits.ts';

const path = z.string().describe('Path within the project.');
const language = z
  .string()
  .describe('Identifier as editors use them, such as `typescript`; `plaintext` when unknown.');
const prompt = z
  .string()
  .describe(`The prompt echoed back, cut to ${LIMITS.echoedPromptCharacters} characters.`);
/** By what a caller or an operator can do about it. */
const outcome = z.enum([
  'succeeded',
  'cut_off',
  'timed_out',
  'silent',
  'overloaded',
  'credentials',
  'refused',
  'unusable',
  'failed',
  'interrupted',
]);
const provider = '`provider-a/blueprint`: the provider and its variant';

export const generatedFile = z.strictObject({
  path,
  content: z.string().describe('The text of the file.'),
  language,
});

/** Of `POST /api/v1/generate`. */
export const generateResponse = z.strictObject({
  files: z.array(generatedFile).readonly().describe('The generated files.'),
  tokensUsed: z
    .int()
    .describe(
      `Estimate of the tokens of prompt and output: ${LIMITS.charactersPerToken} characters count as one.`,
    ),
  duration: z.int().describe('Milliseconds from the request’s arrival to the finished project.'),
  model: z
    .string()
    .describe(`Who wrote it, as ${provider}. It can differ from the \`model\` that was asked for.`),
  fileCount: z.int().describe('Number of `files`.'),
  prompt,
});

const attempt = z.strictObject({
  provider: z.enum(PROVIDER_NAMES),
  model: z.string().describe(`As ${provider}.`),
  kind: z
    .enum(['plan', 'write', 'repair'])
    .describe('Whether the provider was asked for a list of files, for files, or for corrections.'),
  startedAt: z.int().describe('Unix time in milliseconds.'),
  outcome: outcome.exactOptional().describe('How it ended; missing while it is under way.'),
  reason: z.string().optional().describe('What went wrong, for a person.'),
  ms: z.int().exactOptional().describe('Milliseconds that it took.'),
  tokens: z.int().exactOptional().describe('Estimate of the tokens that it wrote.'),
  files: z.int().exactOptional().describe('Complete files that it wrote.'),
});

/** Of `GET /api/v1/generations/{id}`: the state of a generation, always with 200. */
export const generationResource = z.strictObject({
  id: z.string().describe('The generation, as in the path.'),
  status: z
    .enum(['queued', 'running', 'succeeded', 'incomplete', 'failed', 'timed_out', 'canceled'])
    .describe(
      '`incomplete` is a project whose last answer broke off with no provider left to continue it: `problems` says what is missing.',
    ),
  prompt,
  model: z.enum(MODELS).describe('Who was asked for.'),
  duration: z.enum(DURATIONS).describe('As it was asked for.'),
  createdAt: z.int().describe('Unix time in milliseconds.'),
  finishedAt: z.int().exactOptional().describe('Unix time in milliseconds; missing until it is over.'),
  attempts: z.array(attempt).readonly().describe('Every call of a provider, in order.'),
  plan: z
    .array(z.strictObject({ path, purpose: z.string().describe('What the file is for.') }))
    .readonly()
    .exactOptional()
    .describe('The files that are going to be written, when the duration has a plan.'),
  files: z
    .array(z.strictObject({ path, language, bytes: z.int().describe('Size in bytes.') }))
    .readonly()
    .describe(
      'The complete files there are, also while it runs; their contents come with the result or the events.',
    ),
  problems: z
    .array(z.string())
    .readonly()
    .exactOptional()
    .describe('What is missing from the project or wrong with it, one sentence each.'),
});

/** One file of a generated project. */
export type GeneratedFile = z.output<typeof generatedFile>;

/** Answer of `POST /api/v1/generate`. */
export type GenerateResponse = z.output<typeof generateResponse>;

/** Answer of `GET /api/v1/generations/{id}`. */
export type GenerationResource = z.output<typeof generationResource>;
