import { type AssetRules, newAssetRequest } from '../contract/assets.ts';
import { ASSETS_SCOPE } from '../contract/operations.ts';
import { jsonBody } from '../http/input.ts';
import type { ApiRequest } from '../http/request.ts';
import { operationOf } from '../http/router.ts';
import { brokenRule } from './rules.ts';

/**
 * Returns how many bytes a request announces for an upload: none if it is refused anyway. The body of a caller that may not create
 * assets is not parsed.
 */
export async function uploadedBytes(request: ApiRequest, rules: AssetRules): Promise<number> {
  if (operationOf(request) !== 'createAsset') return 0;
  if (!request.caller?.credential?.scopes.includes(ASSETS_SCOPE)) return 0;
  const announced = await jsonBody(request, newAssetRequest).catch(() => undefined);
  if (announced === undefined || brokenRule(announced.attributes, rules)) return 0;
  return announced.attributes.size;
}
