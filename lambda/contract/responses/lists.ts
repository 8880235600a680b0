import * as z from 'zod';
import { shownAsset } from './assets.ts';
import { deploymentResource, review } from './deploy.ts';
import { generationResource } from './generate.ts';
import { look } from './looks.ts';

/** Body of `GET /api/v1/generations`. */
export const generationList = listOf(
  generationResource.omit({ attempts: true, plan: true, files: true, changes: true, problems: true }).extend({
    look: look.omit({ problems: true }).optional().describe('What a browser saw, without the problems.'),
    fileCount: z.int().describe('Number of complete files so far; of a change, those that it wrote.'),
  }),
  'The caller’s generations of the last 24 hours',
);

/** Body of `GET /api/v1/deployments`. */
export const deploymentList = listOf(
  deploymentResource.omit({ versions: true, look: true, domains: true, dataWebhook: true }).extend({
    review: review.omit({ reasons: true }).optional().describe('The review, without the reasons.'),
  }),
  'The caller’s deployments, except deleted ones',
);

/** Body of `GET /api/v1/assets/user-assets/`. */
export const assetList = listOf(
  shownAsset.omit({ download_url: true, expires_at: true }),
  'The caller’s assets',
);

function listOf<Item extends z.ZodObject>(item: Item, what: string) {
  return z.strictObject({
    items: z
      .array(item)
      .readonly()
      .describe(
        `${what}, newest first. A page can have fewer than \`limit\` items, although there are more pages.`,
      ),
    nextCursor: z
      .string()
      .nullable()
      .describe('`cursor` of the next page; null on the last one. `Link` with `rel="next"` is its URL.'),
  });
}

export type GenerationList = z.output<typeof generationList>;
export type DeploymentList = z.output<typeof deploymentList>;
export type AssetList = z.output<typeof assetList>;
