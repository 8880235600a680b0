import { type Caller, requireScope } from '../../access/callers.ts';
import type { GenerateRequest } from '../../contract/generate.ts';
import { ASSETS_SCOPE } from '../../contract/operations.ts';
import type { UploadedImage } from './uploaded-asset.ts';

export interface AssetPorts {
  /** Returns an uploaded image of an owner. @throws ApiError if there is none that a project can have */
  readonly asset: (id: string, owner: string) => Promise<UploadedImage>;
}

/**
 * Returns the images that a request names.
 * @throws ApiError unauthorized without a credential, forbidden without the scope of assets, and those of `asset`
 */
export async function requestedImages(
  { assets }: Pick<GenerateRequest, 'assets'>,
  caller: Caller | undefined,
  { asset }: AssetPorts,
): Promise<UploadedImage[]> {
  if (assets === undefined) return [];
  const { id: owner } = requireScope(caller, ASSETS_SCOPE);
  return Promise.all(assets.map((id) => asset(id, owner)));
}
