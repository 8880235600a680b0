import * as z from 'zod';
import { MODELS } from '../contract/generate.ts';

/** What the canary of a stage does. */
export const canarySettings = z.strictObject({
  /** How old the file may be that a visitor gets, in milliseconds: 0 unless the edge keeps pages (`deployments.edgeSeconds`). */
  staleMs: z.int(),
  /** What it generates with, and how often; nothing by default. */
  generate: z.strictObject({ model: z.enum(MODELS), every: z.enum(['run', 'hour']) }).optional(),
});

export type CanarySettings = z.output<typeof canarySettings>;
