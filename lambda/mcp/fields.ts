import * as z from 'zod';

export const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
/** What visitors saw before is replaced. */
export const PUBLISHES = { readOnlyHint: false, destructiveHint: true, idempotentHint: false };

export const id = z.string().describe('Id of the resource.');
export const token = z
  .string()
  .optional()
  .describe('`token` of the first deploy, if that was made without a key.');
export const ifMatch = z
  .string()
  .optional()
  .describe('Version that must be live; otherwise nothing changes.');
