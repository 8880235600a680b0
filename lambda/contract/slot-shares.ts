import * as z from 'zod';

/** How many invocations of a kind run at the same time. */
export const slotShares = z.object({
  /** Names the item that counts them. */
  kind: z.string(),
  /** The slots of an API key or access token. */
  key: z.int(),
  /** The slots of each tenant that callers without a credential share. */
  anonymous: z.int(),
  /** The slots of all callers without a credential. */
  anonymousTogether: z.int(),
});

export type SlotShares = z.output<typeof slotShares>;
