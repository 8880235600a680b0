import * as z from 'zod';
import { kindOf, object, text } from './messages.ts';
import type { createdAsset, shownAsset } from './responses/lists.ts';

/** A media type without parameters (RFC 6838, 4.2), case-insensitive. JSON Schema has no flags for patterns. */
export const MEDIA_TYPE = /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}$/;

const number = { error: 'attributes.size must be a whole number of bytes, 0 or more' };
const required = 'attributes.size is required: the number of bytes that you are going to upload';

const attributes = z
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
        .regex(MEDIA_TYPE, { error: 'attributes.type must be a media type such as image/png' })
        .toLowerCase()
        .describe('Media type of the asset.'),
      size: z.int(number).min(0, number).describe('Size in bytes.'),
    },
    object('attributes'),
  )
  .partial();

const entityType = z
  .string(text('entity_type', 'the kind of entity the asset belongs to'))
  .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'entity_type must be an upper-case identifier such as USER_AVATAR')
  .optional()
  .describe('Kind of entity the asset belongs to, such as `USER_AVATAR`.');

/** Body of `PATCH …/user-assets/{asset_id}/`: every field is optional. */
export const assetRequest = z.object({
  attributes: attributes.optional().describe('Attributes to set. Omitted attributes keep their values.'),
  entity_type: entityType,
});

/** Body of `POST …/user-assets/`: the size is required, because the bytes of a day are limited. */
export const newAssetRequest = z.object({
  attributes: z
    .object(
      {
        ...attributes.shape,
        size: z
          .int({ error: ({ input }) => (input === undefined ? required : number.error) })
          .min(0, number)
          .describe('Size in bytes. The upload must have it.'),
      },
      {
        error: ({ input }) =>
          input === undefined ? required : `attributes must be a JSON object, not ${kindOf(input)}`,
      },
    )
    .describe('Attributes of the asset.'),
  entity_type: entityType,
});

export type AssetRequest = z.output<typeof assetRequest>;
export type AssetAttributes = NonNullable<AssetRequest['attributes']>;

/** Response of `POST /api/v1/assets/user-assets/`. */
export type CreatedAsset = z.output<typeof createdAsset>;

/** Response of `GET /api/v1/assets/user-assets/{asset_id}/`. */
export type ShownAsset = z.output<typeof shownAsset>;

/**
 * How long an asset may stay pending, and the tag of its object until it is marked as uploaded. A lifecycle rule of
 * the bucket deletes objects that have had the tag for that long.
 */
export const PENDING_ASSET = { days: 1, tag: { state: 'pending' } } as const;

/** Returns the key of an asset's bytes in the bucket of assets. */
export const assetKey = (id: string) => `assets/${id}`;

/** Accepted uploads: `assets` in a stage's configuration. */
export const assetRules = z.strictObject({
  /** Maximum size of an asset in bytes. A single PUT to S3 is limited to 5 GiB. */
  maxBytes: z
    .int()
    .min(1)
    .max(5 * 1024 ** 3, 'must be at most 5 GiB, the limit of a single PUT to S3')
    .default(25 * 1_048_576),
  types: z
    .array(z.string().regex(/^[a-z]+\/(\*|[a-z0-9.+-]+)$/, 'must be a media type or a range such as image/*'))
    .min(1, 'must list at least one media type')
    .default(['image/*', 'audio/*', 'video/*', 'font/*', 'application/pdf']),
});

export type AssetRules = z.output<typeof assetRules>;
