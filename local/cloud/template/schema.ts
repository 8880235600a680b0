import * as z from 'zod';

/** A property that the local cloud knows and that changes nothing on a laptop; the place of use says why. */
export const noLocalEffect = z.unknown().optional();
