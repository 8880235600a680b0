import type { Caller } from '../access/callers.ts';
import type { AssetRules, CreatedAsset, ShownAsset } from '../contract/assets.ts';
import { ApiError } from '../contract/errors.ts';
import { ASSET_ID } from '../contract/ids.ts';
import { ASSETS_SCOPE } from '../contract/operations.ts';
import { type ListLinks, listResponse } from '../http/list.ts';
import type { ApiRequest } from '../http/request.ts';
import { parsedBody, type Route, route } from '../http/router.ts';
import { newId } from '../platform/new-id.ts';
import { acceptUpload, brokenRule, checkRules } from './accept-upload.ts';
import type { AssetObjects } from './asset-objects.ts';
import type { Asset, AssetStore } from './asset-store.ts';

/** Returns the routes of assets. To callers other than its owner, an asset does not exist. */
export function assetRoutes(assets: AssetStore, objects: AssetObjects, rules: AssetRules, links: ListLinks): Route[] {
  const requireAsset = async ({ id: owner }: Caller, { asset_id = '' }: Readonly<Record<string, string>>) =>
    requireFound(ASSET_ID.test(asset_id) && (await assets.find(asset_id, owner)));

  const download = async ({ state, asset_id, attributes }: Asset): Promise<Partial<ShownAsset>> => {
    if (state === 'pending') return {};
    const { url, expires_at } = await objects.downloadUrl(asset_id, attributes);
    return { download_url: url, expires_at };
  };

  return [
    route(
      'createAsset',
      async ({ request, body, caller }) => {
        checkRules(body.attributes, rules);
        const asset_id = newId();
        const { url, headers, expires_at } = await objects.uploadUrl(asset_id, body.attributes);
        await assets.create(asset_id, caller.id, body);
        const created: CreatedAsset = { asset_id, upload_url: url, upload_headers: headers, expires_at };
        const Location = links.apiUrl(request, `/api/v1/assets/user-assets/${asset_id}/`);
        return { statusCode: 201, headers: { Location }, body: created };
      },
      (request) => announcedBytes(request, rules),
    ),
    route('updateAsset', async ({ params, body, caller }) => {
      const asset = await requireAsset(caller, params);
      const accepted = await acceptUpload(asset, body, rules, objects);
      requireFound(await assets.markUploaded(asset.asset_id, caller.id, accepted));
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
    route('listAssets', (call) => listResponse('listAssets', call, links, (page) => assets.list(page), shownAsset)),
  ];
}

/**
 * Returns how many bytes a request announces for an upload: none if it is refused anyway. The body of a caller that may
 * not create assets is not parsed.
 */
export async function announcedBytes(request: ApiRequest, rules: AssetRules): Promise<number> {
  if (!request.caller?.credential?.scopes.includes(ASSETS_SCOPE)) return 0;
  const announced = await parsedBody('createAsset', request).catch(() => undefined);
  if (announced === undefined || brokenRule(announced.attributes, rules)) return 0;
  return announced.attributes.size;
}

/** Returns the body of a response about the asset. */
function shownAsset(asset: Asset): ShownAsset {
  const { asset_id, state, attributes, entity_type, createdAt, updatedAt } = asset;
  return {
    asset_id,
    state,
    attributes,
    ...(entity_type === undefined ? {} : { entity_type }),
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

/** @throws ApiError not_found for an asset that does not exist or belongs to another owner */
function requireFound<T>(asset: T | false | undefined): T {
  if (asset) return asset;
  throw new ApiError('not_found', 'There is no such asset');
}
