import * as z from 'zod';

/** One that no combination of signs reaches, except for URLs that are listed as bad. */
const MOST_POINTS = 250;

const points = z.int().min(10).max(MOST_POINTS, `must be at most ${MOST_POINTS}`);

/** Which pages are held until their owner claims them, or the operator releases them. */
export const gateConfig = z
  .strictObject({
    /** Whether pages are assessed at all. */
    enabled: z.boolean().default(true),
    /** The most points of pages of callers without a credential. */
    anonymousPoints: points.default(50),
    /** The most points of pages of API keys and access tokens. */
    keyPoints: points.default(100),
    /** Path of a list of bad URLs, which is deployed with the functions. By default, none is looked up. */
    badUrls: z.string().min(1).optional(),
  })
  .refine(
    ({ anonymousPoints, keyPoints }) => anonymousPoints <= keyPoints,
    'keyPoints must not be less than anonymousPoints',
  )
  .prefault({});

/** Returns how many points pages may have. */
export function boundsOf({ anonymousPoints, keyPoints }: z.output<typeof gateConfig>): {
  readonly anonymousPoints: number;
  readonly keyPoints: number;
} {
  return { anonymousPoints, keyPoints };
}
