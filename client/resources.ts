import { type DeploymentOptions, managing } from './deploy.ts';
import { follow, Generation, type GenerationEvent, generationPath, type Project } from './generation.ts';
import { type CallOptions, type Http, isRepeat } from './http.ts';
import type {
  CreatedAsset,
  DeletedDeployment,
  DeploymentResource,
  GenerationResource,
  ShownAsset,
} from './types.ts';

/** One page of a list, newest first. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The `cursor` of the next page; null on the last one. */
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

/** A list of what belongs to the key or token of the client. */
class Resources<Item> {
  protected readonly http: Http;
  readonly #path: string;

  constructor(http: Http, path: string) {
    this.http = http;
    this.#path = path;
  }

  /** Returns a page of the list. */
  async list({ limit, cursor, signal }: ListOptions = {}): Promise<Page<Item>> {
    const { body } = await this.http.request<Page<Item>>({
      path: this.#path,
      query: { limit, cursor },
      signal,
    });
    return body;
  }

  /** Yields all items, and requests each page when it is needed. */
  async *all(options: ListOptions = {}): AsyncGenerator<Item, void, undefined> {
    for (let { cursor } = options; ; ) {
      const { items, nextCursor } = await this.list({ limit: 100, ...options, cursor });
      yield* items;
      if (nextCursor === null) return;
      cursor = nextCursor;
    }
  }
}

export class Generations extends Resources<ListedGeneration> {
  constructor(http: Http) {
    super(http, '/api/v1/generations');
  }

  /** Returns the state of a generation. */
  async get(id: string, { signal }: CallOptions = {}): Promise<GenerationResource> {
    return (await this.http.request<GenerationResource>({ path: generationPath(id), signal })).body;
  }

  /** Waits for a generation. @throws ApiError if it fails */
  async result(id: string, options: CallOptions = {}): Promise<Project> {
    return new Generation(this.http, { id }, options);
  }

  /** Cancels a generation. @throws ApiError `conflict` if it is over */
  async cancel(id: string, { signal }: CallOptions = {}): Promise<GenerationResource> {
    const call = { method: 'DELETE', path: generationPath(id), signal } as const;
    return (await this.http.request<GenerationResource>(call)).body;
  }

  /** Yields the events of a generation after the one with the given id; by default all. @throws ApiError if it fails */
  events(
    id: string,
    { lastEventId = 0, signal }: CallOptions & { readonly lastEventId?: number | undefined } = {},
  ): AsyncGenerator<GenerationEvent, void, undefined> {
    return follow(this.http, { id, last: lastEventId }, undefined, signal);
  }
}

const deploymentPath = (id: string) => `/api/v1/deployments/${encodeURIComponent(id)}`;

export class Deployments extends Resources<ListedDeployment> {
  constructor(http: Http) {
    super(http, '/api/v1/deployments');
  }

  /** Returns a deployment with its versions. */
  async get(id: string, { signal, token }: DeploymentOptions = {}): Promise<DeploymentResource> {
    const call = { path: deploymentPath(id), headers: managing({ token }), signal };
    return (await this.http.request<DeploymentResource>(call)).body;
  }

  /** Makes one of a deployment's versions live. */
  async rollback(
    id: string,
    { version, signal, ...options }: DeploymentOptions & { readonly version: string },
  ): Promise<DeploymentResource> {
    const path = `${deploymentPath(id)}/rollback`;
    const call = { method: 'POST', path, body: { version }, headers: managing(options), signal } as const;
    try {
      return (await this.http.request<DeploymentResource>(call)).body;
    } catch (error) {
      // `ifMatch` names the version that an earlier attempt replaced.
      const now = isRepeat(error, 412) ? await this.get(id, { token: options.token, signal }) : undefined;
      if (now?.version === version) return now;
      throw error;
    }
  }

  /** Deletes a deployment with all its versions. */
  async delete(id: string, { signal, ...options }: DeploymentOptions = {}): Promise<DeletedDeployment> {
    const call = { method: 'DELETE', path: deploymentPath(id), headers: managing(options), signal } as const;
    return (await this.http.request<DeletedDeployment>(call)).body;
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

const ASSETS = '/api/v1/assets/user-assets/';
const assetPath = (id: string) => `${ASSETS}${encodeURIComponent(id)}/`;

/** User assets: their operations require a credential with the scope `assets:write`. */
export class Assets extends Resources<ListedAsset> {
  constructor(http: Http) {
    super(http, ASSETS);
  }

  /**
   * Creates an asset, uploads its bytes, marks it as uploaded and returns it with its `download_url`. If this fails, or a lost
   * response made the client create it twice, a pending asset is left, which the service deletes after a day.
   */
  async upload(content: Uint8Array | Blob, options: UploadOptions = {}): Promise<ShownAsset> {
    const { name, type, entityType, signal } = options;
    const blob = content instanceof Uint8Array ? undefined : content;
    const attributes = {
      name: name ?? (blob as Partial<File> | undefined)?.name,
      type: type ?? (blob?.type || undefined),
      size: blob ? blob.size : (content as Uint8Array).byteLength,
    };
    const { body: asset } = await this.http.request<CreatedAsset>({
      method: 'POST',
      path: ASSETS,
      body: { attributes, entity_type: entityType },
      signal,
    });
    await this.#put(asset, content, signal);
    const path = assetPath(asset.asset_id);
    await this.http.request({ method: 'PATCH', path, body: {}, signal });
    return this.get(asset.asset_id, { signal });
  }

  /** Returns an asset; once it is uploaded, with a `download_url`. */
  async get(id: string, { signal }: CallOptions = {}): Promise<ShownAsset> {
    return (await this.http.request<ShownAsset>({ path: assetPath(id), signal })).body;
  }

  /** Deletes an asset and its bytes. */
  async delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    try {
      await this.http.request({ method: 'DELETE', path: assetPath(id), signal });
    } catch (error) {
      if (!isRepeat(error, 404)) throw error;
    }
  }

  /** Uploads the bytes with the given headers only: the URL belongs to a storage service, which gets no credentials. */
  async #put(
    { upload_url, upload_headers }: CreatedAsset,
    content: Uint8Array | Blob,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const init = {
      method: 'PUT',
      headers: { ...upload_headers },
      body: content as NonNullable<RequestInit['body']>,
    };
    try {
      await this.http.retry(() => this.http.fetch(upload_url, init, signal), signal);
    } catch (error) {
      // The URL accepts one upload, which was this one.
      if (!isRepeat(error, 412)) throw error;
    }
  }
}
