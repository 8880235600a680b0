import * as z from 'zod';
import { quote } from './messages.ts';

/** UTC days as `YYYY-MM-DD`, both inclusive. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** Returns the schema of an optional query parameter that is a day. */
export function dayParameter(name: string) {
  const error: z.core.$ZodErrorMap = ({ input }) =>
    `${name} must be a day as YYYY-MM-DD, such as 2026-11-01, not ${quote(input)}`;
  return z.iso
    .date({ error })
    .refine((text) => text >= '1970', { error })
    .optional();
}
