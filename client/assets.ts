import { isRepeat } from './error.ts';
import type { CallOptions } from './http.ts';
import { Resources } from './resources.ts';
import type { CreatedAsset, ShownAsset } from './types.ts';

export type ListedAsset = Omit<ShownAsset, 'download_url' | 'expires_at'>;

export interface UploadOptions extends CallOptions {
  /** Default: the name of a `File`. */
  readonly name?: string | undefined;
  /** Media type. Default: that of a `Blob`. */
  readonly type?: string | undefined;
  /** Upper-case identifier such as `USER_AVATAR`. */
  readonly entityType?: string | undefined;
}

/** @internal */
export const ASSETS = '/api/v1/assets/user-assets/';
const assetPath = (id: string) => `${ASSETS}${encodeURIComponent(id)}/`;

/** User assets. They need a credential with the scope `assets:write`. */
export class Assets extends Resources<ListedAsset> {
  /**
   * Creates an asset, uploads its bytes, marks it as uploaded, and returns it. If it fails, or is retried because the first
   * response was lost, a pending asset may be left, which the service deletes after a day.
   */
  async upload(content: Uint8Array | Blob, options: UploadOptions = {}): Promise<ShownAsset> {
    const { signal } = options;
    const file: Partial<File> = ArrayBuffer.isView(content) ? { size: content.byteLength } : content;
    // Without parameters, such as a charset.
    const { name = file.name, type = file.type?.split(';')[0] || undefined, entityType: entity_type } = options;
    const body = { attributes: { name, type, size: file.size }, entity_type };
    const asset = await this.http.json<CreatedAsset>({ method: 'POST', path: ASSETS, body, signal });
    await this.#put(asset, content, signal);
    await this.http.json({ method: 'PATCH', path: assetPath(asset.asset_id), body: {}, signal });
    return this.get(asset.asset_id, { signal });
  }

  /** Returns an asset; once it is uploaded, with a `download_url`. */
  get(id: string, { signal }: CallOptions = {}): Promise<ShownAsset> {
    return this.http.json({ path: assetPath(id), signal });
  }

  async delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    try {
      await this.http.json({ method: 'DELETE', path: assetPath(id), signal });
    } catch (error) {
      if (!isRepeat(error, 404)) throw error;
    }
  }

  /** Uploads the bytes to their storage, which gets no credential of the client. */
  async #put(asset: CreatedAsset, content: Uint8Array | Blob, signal: AbortSignal | undefined): Promise<void> {
    const init = {
      method: 'PUT',
      headers: asset.upload_headers,
      body: content as Blob,
      signal: signal ?? null,
    };
    try {
      await this.http.retry(() => this.http.fetch(asset.upload_url, init), signal);
    } catch (error) {
      // The URL takes one upload, so an earlier attempt was it.
      if (!isRepeat(error, 412)) throw error;
    }
  }
}
