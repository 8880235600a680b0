import * as z from 'zod';

/** The abilities of a stage's sites, in the environment of attempts. */
export const siteFeatures = z.object({
  /** Whether they have data that visitors share. */
  data: z.boolean(),
  /** Whether each has an origin of its own, so that it knows its visitors again, and its owner. */
  ownOrigins: z.boolean(),
});

/** The abilities of a site's data. */
export type DataFeatures = Pick<z.output<typeof siteFeatures>, 'ownOrigins'>;
