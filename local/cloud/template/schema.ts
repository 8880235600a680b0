import * as z from 'zod';

/** A supported property without local effect; a comment where it is used gives the reason. */
export const noLocalEffect = z.unknown().optional();
