import type { Caller } from '../access/callers.ts';
import type { CreatedAsset, ShownAsset } from '../contract/assets.ts';
import { ApiError } from '../contract/errors.ts';
import { ASSET_ID } from '../contract/ids.ts';
import { type ListPorts, listResponse } from '../http/list.ts';
import { type Route, route } from '../http/router.ts';
import type { Clock } from '../platform/clock.ts';
import { newId } from '../platform/new-id.ts';
import { type Asset, pendingAsset, shownAsset } from './asset.ts';
import { markUploaded, type UploadPorts } from './mark-uploaded.ts';
import { checkRules } from './rules.ts';

export interface AssetPorts extends UploadPorts, ListPorts {
  readonly clock: Clock;
}

/** Returns the routes of assets. To callers other than its owner, an asset does not exist. */
export function assetRoutes(ports: AssetPorts): Route[] {
  const { assets, objects, rules, clock, apiUrl } = ports;

  const requireAsset = async ({ id: owner }: Caller, { asset_id = '' }: Readonly<Record<string, string>>) =>
    requireFound(ASSET_ID.test(asset_id) && (await assets.find(asset_id, owner)));

  return [
    route('createAsset', async ({ request, body, caller }) => {
      checkRules(body.attributes, rules);
      const asset = pendingAsset(newId(), caller.id, body, clock());
      const { asset_id, attributes } = asset;
      const { url, headers, expires_at } = await objects.uploadUrl(asset_id, attributes);
      await assets.create(asset);
      const created: CreatedAsset = {
        asset_id,
        upload_url: url,
        upload_headers: headers,
        expires_at,
      };
      const Location = apiUrl(request, `/api/v1/assets/user-assets/${asset_id}/`);
      return { statusCode: 201, headers: { Location }, body: created };
    }),
    route('updateAsset', async ({ params, body, caller }) => {
      const asset = await requireAsset(caller, params);
      checkRules(body.attributes ?? {}, rules);
      requireFound(await markUploaded(ports, asset, body));
      return { statusCode: 204 };
    }),
    route('getAsset', async ({ params, caller }) => {
      const asset = await requireAsset(caller, params);
      return { statusCode: 200, body: { ...shownAsset(asset), ...(await download(asset)) } };
    }),
    route('deleteAsset', async ({ params, caller }) => {
      const { asset_id } = await requireAsset(caller, params);
      // The record last: if this fails in between, the owner can still see the asset and delete it again.
      await objects.delete(asset_id);
      await assets.delete(asset_id);
      return { statusCode: 204 };
    }),
    route('listAssets', (call) =>
      listResponse('listAssets', call, ports, (page) => assets.list(page), shownAsset),
    ),
  ];

  async function download({ state, asset_id, attributes }: Asset): Promise<Partial<ShownAsset>> {
    if (state === 'pending') return {};
    const { url, expires_at } = await objects.downloadUrl(asset_id, attributes);
    return { download_url: url, expires_at };
  }
}

/** @throws ApiError not_found for an asset that does not exist or belongs to another owner */
function requireFound<T>(asset: T | false | undefined): T {
  if (asset) return asset;
  throw new ApiError('not_found', 'There is no such asset');
}
