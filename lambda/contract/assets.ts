import * as z from 'zod';
import { object, text } from './messages.ts';

const number = { error: 'attributes.size must be a whole number of bytes, 0 or more' };

/** Body of `POST …/user-assets/` and `PATCH …/user-assets/{asset_id}/`: every field is optional. */
export const assetRequest = z.object({
  attributes: z
    .object(
      {
        name: z
          .string(text('attributes.name', 'a file name'))
          .min(1, 'attributes.name is empty')
          .max(255, {
            error: 'attributes.name is longer than 255 characters',
          })
          .describe('Name of the asset.'),
        type: z
          .string(text('attributes.type', 'a media type'))
          .regex(/^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/i, {
            error: 'attributes.type must be a media type such as image/png',
          })
          .describe('Media type of the asset.'),
        size: z.int(number).min(0, number).describe('Size in bytes.'),
      },
      object('attributes'),
    )
    .partial()
    .optional()
    .describe('Attributes to set; those that are not sent stay.'),
  entity_type: z
    .string(text('entity_type', 'what the asset belongs to'))
    .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'entity_type must be an upper-case identifier such as USER_AVATAR')
    .optional()
    .describe('What the asset belongs to, such as `USER_AVATAR`.'),
});

export type AssetRequest = z.output<typeof assetRequest>;

/** Answer of `POST /api/v1/assets/user-assets/`. */
export interface CreatedAsset {
  readonly asset_id: string;
  /** `PUT` the bytes here before `expires_at`. */
  readonly upload_url: string;
  /** Unix time in milliseconds. */
  readonly expires_at: number;
}
