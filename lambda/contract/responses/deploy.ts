import * as z from 'zod';
import { LIMITS } from '../limits.ts';

const site = {
  entry: z.string().describe('Path of the entry HTML file; an empty string when there is none.'),
  fileCount: z.int().describe('Number of files stored.'),
  title: z.string().nullable().describe('From the first `<title>` tag; null when there is none.'),
};
const bytes = z.int().describe('Sum of the files, in bytes.');

/** Of `POST /api/v1/deploy`. */
export const deployResponse = z.strictObject({
  id: z.string().describe('The deployment.'),
  url: z.string().describe('Where it is served.'),
  ...site,
  createdAt: z
    .int()
    .describe('Unix time in milliseconds when the id was first deployed; a redeploy does not change it.'),
});

export const versionResource = z.strictObject({
  version: z.string().describe('Name of the version, as `ETag` has it between its quotes.'),
  live: z.boolean().describe('Whether visitors see it.'),
  ...site,
  bytes,
  deployedAt: z.int().describe('Unix time in milliseconds when it was deployed.'),
});

/** Of `GET /api/v1/deployments/{id}`: what deploying answered, for the version that is live, and more. */
export const deploymentResource = z.strictObject({
  ...deployResponse.shape,
  version: z.string().describe('The version that is live.'),
  bytes,
  deployedAt: z.int().describe('Unix time in milliseconds when the live version was deployed.'),
  owner: z
    .enum(['key', 'token', 'anonymous'])
    .describe('Whose it is: an API key’s, an access token’s, or whoever’s has its `X-Deployment-Token`.'),
  status: z.enum(['live', 'taken_down']).describe('Whether the operator took it down.'),
  versions: z
    .array(versionResource)
    .readonly()
    .describe(`The newest first, at most ${LIMITS.versionsPerDeployment}.`),
});
