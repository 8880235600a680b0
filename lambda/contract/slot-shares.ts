import * as z from 'zod';

/** How many invocations of a kind run at the same time. */
export const slotShares = z.object({
  /** Names the item that counts them. */
  kind: z.string(),
  /** Of an API key or access token. */
  key: z.int(),
  /** Of each of the tenants that callers without a credential share. */
  anonymous: z.int(),
  /** Of all callers without a credential. */
  anonymousTogether: z.int(),
});

export type SlotShares = z.output<typeof slotShares>;
