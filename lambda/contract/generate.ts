import * as z from 'zod';
import { LIMITS } from './limits.ts';
import { atMost, oneOf, text } from './messages.ts';

export const PROVIDER_NAMES = ['provider-a', 'provider-b', 'provider-c', 'provider-d'] as const;
export const MODELS = ['auto', ...PROVIDER_NAMES] as const;
export const DURATIONS = ['auto', '5min', '10min'] as const;

export type ProviderName = (typeof PROVIDER_NAMES)[number];
export type Duration = (typeof DURATIONS)[number];

/** Body of `POST /api/v1/generate`. Unknown fields are ignored. */
export const generateRequest = z.object({
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
});

export type GenerateRequest = z.output<typeof generateRequest>;

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
