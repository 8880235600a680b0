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
    .describe('What to build, in natural language; at most 10,000 characters.'),
  model: z
    .enum(MODELS, oneOf('model', MODELS))
    .default('auto')
    .describe('Who should write it; when that provider fails, the others are tried.'),
  duration: z
    .enum(DURATIONS, oneOf('duration', DURATIONS))
    .default('auto')
    .describe('Longer durations produce more files.'),
});

export type GenerateRequest = z.output<typeof generateRequest>;

/** One file of a generated project. */
export interface GeneratedFile {
  readonly path: string;
  readonly content: string;
  /** Identifier as editors use them, such as `typescript`; `plaintext` when unknown. */
  readonly language: string;
}

/** Answer of `POST /api/v1/generate`. */
export interface GenerateResponse {
  readonly files: readonly GeneratedFile[];
  /** Estimate: four characters of prompt and output are one token. */
  readonly tokensUsed: number;
  /** Milliseconds from the request's arrival to the finished project. */
  readonly duration: number;
  /** The provider that answered and its variant, such as `provider-a/blueprint`. */
  readonly model: string;
  readonly fileCount: number;
  /** The prompt, cut to 200 characters. */
  readonly prompt: string;
}

/** Length in Unicode code points, so that an emoji is one character wherever the contract counts them. */
export function characters(value: string): number {
  let count = 0;
  for (let i = 0; i < value.length; i++, count++) {
    if ((value.codePointAt(i) ?? 0) > 0xffff) i++;
  }
  return count;
}

/** The first `limit` characters of a string; never half of a surrogate pair. */
export function truncate(value: string, limit: number): string {
  return value.length <= limit
    ? value
    : Array.from(value.slice(0, limit * 2))
        .slice(0, limit)
        .join('');
}

/** Answer of `GET /api/v1/generations/{id}`: what is known of a job, always with 200. Times are Unix milliseconds. */
export interface GenerationResource {
  readonly id: string;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'timed_out' | 'canceled';
  readonly prompt: string;
  readonly model: GenerateRequest['model'];
  readonly duration: Duration;
  readonly createdAt: number;
  readonly finishedAt?: number;
  /** Every pass of every provider; one without an outcome is under way. */
  readonly attempts: readonly {
    readonly provider: ProviderName;
    readonly model: string;
    readonly pass: 'plan' | 'write' | 'repair';
    readonly startedAt: number;
    readonly outcome?: string;
    readonly reason?: string | undefined;
    readonly ms?: number;
    readonly tokens?: number;
    readonly files?: number;
  }[];
  readonly plan?: readonly { readonly path: string; readonly purpose: string }[];
  /** The complete files there are, also while it runs; their contents come with the result or the events. */
  readonly files: readonly { readonly path: string; readonly language: string; readonly bytes: number }[];
  /** What is known to be wrong with the project, one sentence each. */
  readonly problems?: readonly string[];
}
