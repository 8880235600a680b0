import * as z from 'zod';
import { DURATIONS, MODELS, PROVIDER_NAMES } from '../generate.ts';
import { LIMITS } from '../limits.ts';
import { generatedDeployment } from './deploy.ts';
import { look } from './looks.ts';

const path = z.string().describe('Path within the project.');
const language = z
  .string()
  .describe('Language identifier as in editors, such as `typescript`; `plaintext` if unknown.');
const prompt = z.string().describe(`The prompt, truncated to ${LIMITS.echoedPromptCharacters} characters.`);
const outcome = z.enum([
  'succeeded',
  'cut_off',
  'timed_out',
  'silent',
  'overloaded',
  'credentials',
  'refused',
  'unusable',
  'over_budget',
  'failed',
  'interrupted',
]);
const provider = '`<provider>/<variant>`, such as `provider-a/blueprint`';

/** The outcome of the deploy that a request asked for. */
const deployFields = {
  deployment: generatedDeployment
    .optional()
    .describe(
      'Only with `deploy`: the response of the deploy, whose page was loaded before this response, and when it expires.',
    ),
  deploymentError: z
    .strictObject({
      status: z.int().describe('Status that the deploy by itself would have had.'),
      error: z.string().describe('Human-readable message: the problem, and how to fix it.'),
    })
    .optional()
    .describe('Only with `deploy`: why the project is not deployed. It can be deployed with `generationId`.'),
};

export const generatedFile = z.strictObject({
  path,
  content: z.string().describe('Content of the file.'),
  language,
  encoding: z
    .literal('base64')
    .optional()
    .describe('For a file that is not text, such as an image of `assets`: `content` is base64.'),
});

/** Body of `POST /api/v1/generate`. */
export const generateResponse = z.strictObject({
  files: z.array(generatedFile).readonly().describe('Generated files.'),
  tokensUsed: z
    .int()
    .describe(`Estimated tokens of prompt and output, at ${LIMITS.charactersPerToken} characters per token.`),
  duration: z.int().describe('Milliseconds from the arrival of the request to the end of the generation.'),
  model: z.string().describe(`Provider that was used, as ${provider}. It can differ from the requested \`model\`.`),
  fileCount: z.int().describe('Number of `files`.'),
  prompt,
  ...deployFields,
});

const group = z
  .int()
  .optional()
  .describe('Group of the plan. Each is written by an attempt of its own, several at the same time.');

const tokens = (description: string) => z.int().describe(description);

const attemptUsage = z.strictObject({
  input: tokens('All tokens of input, `cachedInput` and `cacheWrite` included.'),
  cachedInput: tokens('Input that the vendor read from its cache.'),
  cacheWrite: tokens('Input that the vendor wrote to its cache.'),
  output: tokens('All tokens of output, `reasoning` included.'),
  reasoning: tokens('Output that is not part of the answer.'),
  basis: z
    .enum(['reported', 'reserved', 'estimated'])
    .describe(
      `\`reported\` by the vendor; \`reserved\`, the most that the attempt could use, while it is running and if it was aborted or the vendor did not report; \`estimated\` at ${LIMITS.charactersPerToken} characters per token, of a provider that is free.`,
    ),
});

const attemptCost = z.strictObject({ usd: z.number().describe('US dollars.') });

export const attemptResource = z.strictObject({
  provider: z.enum(PROVIDER_NAMES).describe('The provider.'),
  model: z.string().describe(`The provider and its model, as ${provider}.`),
  kind: z
    .enum(['write', 'repair', 'review'])
    .describe(
      'Purpose of the attempt: files, corrections, or a comparison of the page as a browser shows it with the request.',
    ),
  group,
  startedAt: z.int().describe('Unix time in milliseconds when the attempt began.'),
  outcome: outcome.optional().describe('How the attempt ended; absent while it is running.'),
  reason: z.string().optional().describe('Human-readable description of what went wrong.'),
  ms: z.int().optional().describe('Duration in milliseconds.'),
  tokens: z.int().optional().describe('Estimated tokens of output.'),
  usage: attemptUsage.optional().describe('Tokens as the vendor counts and bills them.'),
  cost: attemptCost.optional().describe('What `usage` costs; absent if the price of the model is not known.'),
  files: z.int().optional().describe('Number of complete files.'),
  dropped: z
    .literal(true)
    .optional()
    .describe(
      'Present if the changes were dropped: the project was better without them, or they followed a plan that was part of a thought.',
    ),
});

const attemptLook = look
  .optional()
  .describe('What a browser saw of the project after the attempt; absent if it did not look.');

/** The cost of a generation. */
export const generationCost = z.strictObject({
  usd: z.number().describe('US dollars, for all attempts.'),
  repairsUsd: z
    .number()
    .optional()
    .describe('The part of it for attempts that corrected problems; absent without such attempts.'),
});

const writing = z
  .array(
    z.strictObject({
      path,
      characters: z.int().describe('Number of characters so far.'),
      attempt: z.int().describe('Number of the attempt that writes it, from 1.'),
    }),
  )
  .readonly();

const fileChange = z.strictObject({
  path: z.string().describe('Path of the file; of a renamed one, the new path.'),
  change: z.enum(['added', 'changed', 'deleted', 'renamed']).describe('What happened to the file.'),
  from: z.string().optional().describe('Path before a rename.'),
  diff: z
    .string()
    .optional()
    .describe('Unified diff; absent for a rename, for files that are empty or not text, and beyond 1 MB of diffs.'),
});

/** Body of `GET /api/v1/generations/{id}`; the status is 200 in every state. */
export const generationResource = z.strictObject({
  id: z.string().describe('Id of the generation.'),
  status: z
    .enum(['queued', 'running', 'deploying', 'succeeded', 'incomplete', 'failed', 'timed_out', 'canceled'])
    .describe(
      'A generation is `incomplete` when files are missing because the time of its `duration` was over or no provider was left to continue. `problems` lists what is missing.',
    ),
  prompt,
  model: z.enum(MODELS).describe('Requested model.'),
  duration: z.enum(DURATIONS).describe('Requested duration.'),
  from: z.string().optional().describe('The generation or deployment whose project this one changed: its parent.'),
  createdAt: z.int().describe('Unix time in milliseconds when the request arrived.'),
  finishedAt: z.int().optional().describe('Unix time in milliseconds when the generation ended.'),
  attempts: z
    .array(attemptResource.extend({ look: attemptLook }))
    .readonly()
    .describe('Calls of providers, in the order of their beginnings.'),
  cost: generationCost
    .optional()
    .describe(
      'What the attempts cost; one that is running counts what it has reserved. Absent if it is not known, see `costUnknown`.',
    ),
  costUnknown: z
    .string()
    .optional()
    .describe('Why the cost is not known, as a sentence. Attempts with a known price have their cost.'),
  matched: z
    .string()
    .nullable()
    .optional()
    .describe(
      'The starter project that the embedded provider chose, such as `timer`, or null if none fits the prompt. Absent if a model wrote the project.',
    ),
  plan: z
    .array(z.strictObject({ path, purpose: z.string().describe('What other files need to know of it.'), group }))
    .readonly()
    .optional()
    .describe('Planned files; absent for a project that is written without a plan.'),
  writing: writing
    .optional()
    .describe('Files that are being written, as of the last seconds; absent unless the generation is running.'),
  files: z
    .array(z.strictObject({ path, language, bytes: z.int().describe('Size in bytes.') }))
    .readonly()
    .describe(
      'Complete files so far; once the change of a project is over, all its files. The result and the events have their contents.',
    ),
  changes: z
    .array(fileChange)
    .readonly()
    .optional()
    .describe('How the project differs from the one that was changed, once the change is over.'),
  problems: z
    .array(z.string().describe('A sentence.'))
    .readonly()
    .optional()
    .describe('Known defects of the project, one sentence each.'),
  look: look
    .optional()
    .describe('What a browser saw of the project as it is, the last time that it looked; absent if there is no page.'),
  ...deployFields,
});

/** How a file of a project changed. */
export type FileChange = z.output<typeof fileChange>;

/** A file of a generated project. */
export type GeneratedFile = z.output<typeof generatedFile>;

/** Response of `POST /api/v1/generate`. */
export type GenerateResponse = z.output<typeof generateResponse>;

/** Response of `GET /api/v1/generations/{id}`. */
export type GenerationResource = z.output<typeof generationResource>;

export type GenerationStatus = GenerationResource['status'];

export type AttemptResource = z.output<typeof attemptResource>;

export type AttemptKind = AttemptResource['kind'];

/** The tokens that an attempt counts for, and where the numbers are from. */
export type AttemptUsage = Readonly<NonNullable<AttemptResource['usage']>>;

export type GenerationCost = z.output<typeof generationCost>;

/**
 * How an attempt ended, grouped by what a caller or an operator can do about it. `silent`: the provider sent no useful token
 * in time. `cut_off`: the answer ended before it was complete, or was still being written when its time was over; another
 * attempt continues it. `timed_out`: nothing of the answer arrived in time. `unusable`: the answer has nothing
 * to keep, or only repeats itself; `reason` says how its format is wrong, and the last provider that is left is reminded of it once.
 * `over_budget`: the provider was not called, because a budget has no room for it. `interrupted`: a fault of the service itself, whose storage was out of reach or whose function died.
 */
export type AttemptOutcome = NonNullable<AttemptResource['outcome']>;
