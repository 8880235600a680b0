import * as z from 'zod';

/** What sites of a stage can do, in the environment of attempts. */
export const siteFeatures = z.object({
  /** Whether they have data that visitors share. */
  data: z.boolean(),
  /** Whether each has an origin of its own, so that it knows its visitors again, and its owner. */
  ownOrigins: z.boolean(),
});

/** What the data of a site can do. */
export type DataFeatures = Pick<z.output<typeof siteFeatures>, 'ownOrigins'>;
