import * as z from 'zod';
import { PROVIDER_NAMES } from './generate.ts';

/**
 * What a provider name stands for: one entry of `providers` in a stage's configuration.
 * `scripted` behaves as it is told and exists for tests.
 */
export const providerConfig = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('blueprint') }),
  z.strictObject({
    kind: z.literal('scripted'),
    /** `hang` never answers, `block` stops the whole function, `cut` ends in the middle of its only file. */
    script: z.enum(['answer', 'hang', 'block', 'fail', 'cut']),
    /** Milliseconds before `answer` starts. */
    delayMs: z.int().min(0).default(0),
  }),
]);

export const providersConfig = z
  .partialRecord(z.enum(PROVIDER_NAMES), providerConfig)
  .refine(
    (providers) => Object.keys(providers).length > 0,
    'at least one of provider-a to provider-d is needed',
  );

export type ProviderConfig = z.output<typeof providerConfig>;
export type ProvidersConfig = z.output<typeof providersConfig>;
