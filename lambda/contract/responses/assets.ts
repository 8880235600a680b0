import * as z from 'zod';

const assetId = z.string().describe('The asset.');

/** Of `POST /api/v1/assets/user-assets/`. */
export const createdAsset = z.strictObject({
  asset_id: assetId,
  upload_url: z.string().describe('`PUT` the bytes here before `expires_at`, once.'),
  upload_headers: z
    .record(z.string(), z.string())
    .readonly()
    .describe('Headers that the `PUT` must carry, by name, beside its own `Content-Length`.'),
  expires_at: z.int().describe('When `upload_url` ends: Unix time in milliseconds.'),
});

/** Of `GET /api/v1/assets/user-assets/{asset_id}/`. */
export const shownAsset = z.strictObject({
  asset_id: assetId,
  state: z.enum(['pending', 'uploaded']).describe('`pending` until the `PATCH` that marks it as uploaded.'),
  attributes: z
    .strictObject({
      name: z.string().optional().describe('Name of the asset.'),
      type: z.string().optional().describe('Media type; once it is uploaded, that of the upload.'),
      size: z.int().optional().describe('Size in bytes; once it is uploaded, that of the upload.'),
    })
    .describe('What is known of it.'),
  entity_type: z.string().exactOptional().describe('What the asset belongs to, such as `USER_AVATAR`.'),
  created_at: z.int().describe('Unix time in milliseconds.'),
  updated_at: z.int().describe('Unix time in milliseconds.'),
  download_url: z
    .string()
    .exactOptional()
    .describe('Of an asset that is uploaded: `GET` the bytes here before `expires_at`.'),
  expires_at: z.int().exactOptional().describe('When `download_url` ends: Unix time in milliseconds.'),
});
