import * as z from 'zod';

/** Body of `POST /api/v1/reports`. */
export const reportResponse = z.strictObject({
  id: z
    .string()
    .describe('Id of the report. Reports of a page by the same caller in a UTC day are one, with one id.'),
  deploymentId: z.string().describe('Id of the reported deployment.'),
});
