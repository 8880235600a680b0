import * as z from 'zod';
import { projectId } from './deploy.ts';
import { contentFile, fileList } from './files.ts';
import { LIMITS } from './limits.ts';
import { atMost, atMostEntries, kindOf, list, oneOf, text } from './messages.ts';
import { webhook } from './webhooks.ts';

export const PROVIDER_NAMES = ['provider-a', 'provider-b', 'provider-c', 'provider-d'] as const;
export const MODELS = ['auto', ...PROVIDER_NAMES] as const;
export const DURATIONS = ['auto', '5min', '10min'] as const;

export type ProviderName = (typeof PROVIDER_NAMES)[number];
export type Duration = (typeof DURATIONS)[number];

/** Body of `POST /api/v1/generate`. Unknown fields are ignored. */
export const generateRequest = z
  .object({
    prompt: z
      .string(text('prompt', 'a description of what to build'))
      .refine((prompt) => prompt.trim() !== '', 'prompt is empty: describe what to build')
      .refine(
        (prompt) => characters(prompt) <= LIMITS.promptCharacters,
        atMost('prompt', LIMITS.promptCharacters, 'characters', (prompt) => characters(prompt as string)),
      )
      // JSON Schema counts code points, too; the refinements have the messages.
      .meta({
        description: 'What to build, in natural language; at most 10,000 characters.',
        maxLength: LIMITS.promptCharacters,
        pattern: '\\S',
      }),
    model: z
      .enum(MODELS, oneOf('model', MODELS))
      .default('auto')
      .describe('Provider to try first. If it fails, the others are tried.'),
    duration: z
      .enum(DURATIONS, oneOf('duration', DURATIONS))
      .default('auto')
      .describe('Longer durations produce more files.'),
    from: z
      .string(text('from', 'the id of a generation or deployment'))
      .optional()
      .describe(
        'Id of a generation or deployment of the caller: `prompt` then describes a change of its project, and the response is the whole changed project.',
      ),
    files: fileList(contentFile, 'files is empty: leave it out to start a new project')
      .optional()
      .describe('The project to change, instead of `from`; with the limits of deploy.'),
    locked: z
      .array(
        z
          .string(text('locked', 'a path or a pattern'))
          .min(1, 'locked has an empty pattern')
          .max(256, 'locked has a pattern of more than 256 characters'),
        list('locked', 'paths or patterns'),
      )
      .max(50, atMostEntries('locked', 50))
      .optional()
      .describe(
        'Paths that must not change. `*` stands for any characters but `/`, `**` also for `/`; a folder stands for everything in it.',
      ),
    deploy: z
      .union([z.boolean(), z.object({ projectId })], {
        error: ({ input, errors = [] }) =>
          (kindOf(input) === 'an object' && errors.at(-1)?.[0]?.message) ||
          'deploy must be true or an object with a projectId',
      })
      .optional()
      .describe(
        'Deploys the project once it is complete, at the URL of `projectId` or at a new one: the response then has `deployment` or `deploymentError`.',
      ),
    assets: z
      .array(z.string(text('assets', 'the id of an asset')), list('assets', 'ids of uploaded images'))
      .min(1, 'assets is empty: leave it out to use no images')
      .max(LIMITS.imagesPerGeneration, atMostEntries('assets', LIMITS.imagesPerGeneration))
      .refine((ids) => new Set(ids).size === ids.length, 'assets has an id twice')
      .meta({ uniqueItems: true })
      .optional()
      .describe(
        "Ids of the caller's uploaded images, for a credential with the scope `assets:write`: PNG, JPEG, GIF, WebP, AVIF or SVG of at most 1 MB. They are shown to models that accept images, and are files of the project, in `assets/`.",
      ),
    webhook: webhook.optional().describe('Receives a notification once the generation has ended. Requires an API key.'),
  })
  .refine(
    ({ from, files }) => from === undefined || files === undefined,
    'from and files exclude each other: send one of them',
  )
  .refine(
    ({ from, files, locked }) => locked === undefined || from !== undefined || files !== undefined,
    'locked needs a project to change: send from or files as well',
  );

export type GenerateRequest = z.output<typeof generateRequest>;

/** The first request of a history of changes. */
export type OriginalRequest = Pick<GenerateRequest, 'prompt' | 'duration'>;

/** Returns the length in Unicode code points, the characters of the contract. */
export function characters(value: string): number {
  let count = 0;
  for (let i = 0; i < value.length; i++, count++) {
    if ((value.codePointAt(i) ?? 0) > 0xffff) i++;
  }
  return count;
}

/** Estimates how many tokens `count` characters are. */
export function tokensOf(count: number): number {
  return Math.ceil(count / LIMITS.charactersPerToken);
}

/** Returns the first `limit` characters of a string, without splitting a surrogate pair. */
export function truncate(value: string, limit: number): string {
  return value.length <= limit
    ? value
    : Array.from(value.slice(0, limit * 2))
        .slice(0, limit)
        .join('');
}
