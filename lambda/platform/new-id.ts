import { nanoid } from 'nanoid';

/** Returns a random id that no command line takes for an option, of 21 characters by default. */
export const newId = (length?: number): string => asArgument(nanoid(length));

/** Returns an id of the alphabet of base64url without a dash at its beginning. */
export const asArgument = (id: string): string => id.replace(/^-/, '_');
