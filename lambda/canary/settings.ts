import * as z from 'zod';
import { MODELS } from '../contract/generate.ts';

/** The settings of a stage's canary. */
export const canarySettings = z.strictObject({
  /** How old a visited file may be, in milliseconds: 0 unless the edge caches pages (`deployments.edgeSeconds`). */
  staleMs: z.int(),
  /** Which model it generates with, and how often. By default, it does not generate. */
  generate: z.strictObject({ model: z.enum(MODELS), every: z.enum(['run', 'hour']) }).optional(),
});

export type CanarySettings = z.output<typeof canarySettings>;
