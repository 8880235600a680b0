/** The form of a generation's id, from nanoid or from an idempotency key. */
export const GENERATION_ID = /^[\w-]{21}$/;

/** The form of an asset's id: nanoid's. */
export const ASSET_ID = /^[\w-]{21}$/;
