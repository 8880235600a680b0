import * as z from 'zod';
import { deploymentResource, review } from './deploy.ts';
import { generationResource } from './generate.ts';
import { look } from './looks.ts';

const assetId = z.string().describe('Id of the asset.');

/** Body of `POST /api/v1/assets/user-assets/`. */
export const createdAsset = z.strictObject({
  asset_id: assetId,
  upload_url: z.string().describe('URL to `PUT` the bytes to, once, before `expires_at`.'),
  upload_headers: z
    .record(z.string(), z.string())
    .readonly()
    .describe('Headers that the `PUT` must send, by name, besides `Content-Length`.'),
  expires_at: z.int().describe('Unix time in milliseconds when `upload_url` expires.'),
});

/** Body of `GET /api/v1/assets/user-assets/{asset_id}/`. */
export const shownAsset = z.strictObject({
  asset_id: assetId,
  state: z.enum(['pending', 'uploaded']).describe('`pending` until a `PATCH` marks the asset as uploaded.'),
  attributes: z
    .strictObject({
      name: z.string().optional().describe('Name of the asset.'),
      type: z.string().optional().describe('Media type; once uploaded, that of the upload.'),
      size: z.int().optional().describe('Size in bytes; once uploaded, that of the upload.'),
    })
    .describe('Known attributes of the asset.'),
  entity_type: z.string().optional().describe('Kind of entity, such as `USER_AVATAR`.'),
  created_at: z.int().describe('Unix time in milliseconds when the asset was created.'),
  updated_at: z.int().describe('Unix time in milliseconds of the last change.'),
  download_url: z
    .string()
    .optional()
    .describe('URL to `GET` the bytes of an uploaded asset from, before `expires_at`.'),
  expires_at: z.int().optional().describe('Unix time in milliseconds when `download_url` expires.'),
});

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
export const assetList = listOf(shownAsset.omit({ download_url: true, expires_at: true }), 'The caller’s assets');

function listOf<Item extends z.ZodObject>(item: Item, what: string) {
  return z.strictObject({
    items: z
      .array(item)
      .readonly()
      .describe(`${what}, newest first. A page can have fewer than \`limit\` items, although there are more pages.`),
    nextCursor: z
      .string()
      .nullable()
      .describe('`cursor` of the next page; null on the last one. `Link` with `rel="next"` is its URL.'),
  });
}

export type GenerationList = z.output<typeof generationList>;
export type DeploymentList = z.output<typeof deploymentList>;
