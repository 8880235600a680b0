import { type DeploymentOptions, managing } from './deploy.ts';
import { isRepeat } from './error.ts';
import { Generation, type GenerationEvent, generationPath, type Project } from './generation.ts';
import type { CallOptions, Http } from './http.ts';
import type {
  CreatedAsset,
  DeletedDeployment,
  DeploymentResource,
  GenerationResource,
  ShownAsset,
} from './types.ts';

/** A page of a list, newest first. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** `cursor` of the next page; null on the last one. */
  readonly nextCursor: string | null;
}

export interface ListOptions extends CallOptions {
  /** Items per page, 1 to 100. Default: 20. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export type ListedGeneration = Omit<GenerationResource, 'attempts' | 'plan' | 'files' | 'problems'> & {
  readonly fileCount: number;
};
export type ListedDeployment = Omit<DeploymentResource, 'versions'>;
export type ListedAsset = Omit<ShownAsset, 'download_url' | 'expires_at'>;

/** Resources of one kind. The lists have those of the key or token. */
export class Resources<Item> {
  /** @internal */
  readonly http: Http;
  readonly #path: string;

  /** @internal */
  constructor(http: Http, path: string) {
    this.http = http;
    this.#path = path;
  }

  list({ limit, cursor, signal }: ListOptions = {}): Promise<Page<Item>> {
    return this.http.json({ path: this.#path, query: { limit, cursor }, signal });
  }

  /** Yields all items, and requests each page when it is needed. */
  async *all(options: ListOptions = {}): AsyncGenerator<Item, void, undefined> {
    let cursor: string | null | undefined = options.cursor;
    do {
      const page = await this.list({ limit: 100, ...options, cursor });
      yield* page.items;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }
}

export class Generations extends Resources<ListedGeneration> {
  get(id: string, { signal }: CallOptions = {}): Promise<GenerationResource> {
    return this.http.json({ path: generationPath(id), signal });
  }

  /** Waits for a generation. @throws ApiError if it fails */
  async result(id: string, { signal }: CallOptions = {}): Promise<Project> {
    return new Generation(this.http, { id }, signal);
  }

  /** Cancels a generation. @throws ApiError `conflict` if it is over */
  cancel(id: string, { signal }: CallOptions = {}): Promise<GenerationResource> {
    return this.http.json({ method: 'DELETE', path: generationPath(id), signal });
  }

  /** Iterates over the events of a generation, beginning after `lastEventId`. @throws ApiError if it fails */
  events(
    id: string,
    { lastEventId, signal }: CallOptions & { readonly lastEventId?: number | undefined } = {},
  ): AsyncGenerator<GenerationEvent, void, undefined> {
    return new Generation(this.http, { id, lastEventId }, signal)[Symbol.asyncIterator]();
  }
}

const deploymentPath = (id: string) => `/api/v1/deployments/${encodeURIComponent(id)}`;

export class Deployments extends Resources<ListedDeployment> {
  get(id: string, { signal, token }: DeploymentOptions = {}): Promise<DeploymentResource> {
    return this.http.json({ path: deploymentPath(id), headers: managing({ token }), signal });
  }

  /** Makes one of the versions live. */
  async rollback(
    id: string,
    { version, signal, ...options }: DeploymentOptions & { readonly version: string },
  ): Promise<DeploymentResource> {
    const call = { method: 'POST', path: `${deploymentPath(id)}/rollback`, body: { version } } as const;
    try {
      return await this.http.json({ ...call, headers: managing(options), signal });
    } catch (error) {
      // An earlier attempt may have replaced the version that `ifMatch` names.
      const now = isRepeat(error, 412) ? await this.get(id, { ...options, signal }) : undefined;
      if (now?.version === version) return now;
      throw error;
    }
  }

  delete(id: string, { signal, ...options }: DeploymentOptions = {}): Promise<DeletedDeployment> {
    return this.http.json({ method: 'DELETE', path: deploymentPath(id), headers: managing(options), signal });
  }
}

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
    const file: Partial<File> = content instanceof Uint8Array ? { size: content.byteLength } : content;
    const { name = file.name, type = file.type || undefined, entityType: entity_type } = options;
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
  async #put(
    asset: CreatedAsset,
    content: Uint8Array | Blob,
    signal: AbortSignal | undefined,
  ): Promise<void> {
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
