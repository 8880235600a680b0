import * as z from 'zod';

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
