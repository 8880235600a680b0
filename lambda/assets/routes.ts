import { nanoid } from 'nanoid';
import { requireScope } from '../access/callers.ts';
import type { CreatedAsset } from '../contract/assets.ts';
import { ApiError } from '../contract/errors.ts';
import { ASSETS_SCOPE } from '../contract/operations.ts';
import { type Route, route } from '../http/router.ts';
import type { Clock } from '../platform/clock.ts';
import type { AssetStore } from './asset-store.ts';

export interface AssetPorts {
  readonly assets: AssetStore;
  /** A URL that takes a `PUT` of the asset's bytes until `UPLOAD_SECONDS` have passed. */
  readonly uploadUrl: (assetId: string, contentType: string | undefined) => Promise<string>;
  readonly clock: Clock;
}

export const UPLOAD_SECONDS = 15 * 60;

/** `POST` makes an asset, `PATCH` marks it as uploaded. */
export function assetRoutes({ assets, uploadUrl, clock }: AssetPorts): Route[] {
  return [
    route('createAsset', async ({ request, body }) => {
      const { id: owner } = requireScope(request.caller, ASSETS_SCOPE);
      const asset_id = nanoid();
      const now = clock();
      const { attributes = {}, ...rest } = body;
      await assets.create({
        asset_id,
        state: 'pending',
        owner,
        attributes,
        ...rest,
        createdAt: now,
        updatedAt: now,
      });
      const upload_url = await uploadUrl(asset_id, attributes.type);
      const created: CreatedAsset = { asset_id, upload_url, expires_at: now + UPLOAD_SECONDS * 1000 };
      return { statusCode: 201, headers: { Location: `${asset_id}/` }, body: created };
    }),
    route('updateAsset', async ({ request, params, body }) => {
      const { id: owner } = requireScope(request.caller, ASSETS_SCOPE);
      const found = await assets.markUploaded(params.asset_id ?? '', owner, body, clock());
      if (!found) throw new ApiError('not_found', 'There is no such asset');
      return { statusCode: 204 };
    }),
  ];
}
