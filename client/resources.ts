import { type DeploymentOptions, managing, type TokenOptions } from './deploy.ts';
import { isRepeat } from './error.ts';
import {
  Generation,
  type GenerationEvent,
  generationPath,
  type Project,
  type RetrievedGeneration,
  retrieve,
} from './generation.ts';
import type { CallOptions, Http } from './http.ts';
import type {
  DeletedDeployment,
  DeploymentResource,
  DomainResource,
  GenerationResource,
  SettingsRequest,
  ViewsQuery,
  ViewsResponse,
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

export type ListedGeneration = Omit<GenerationResource, 'attempts' | 'plan' | 'files' | 'changes' | 'problems'> & {
  readonly fileCount: number;
};
export type ListedDeployment = Omit<DeploymentResource, 'versions' | 'look' | 'domains' | 'dataWebhook'>;

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
  all(options: ListOptions = {}): AsyncGenerator<Item, void, undefined> {
    return itemsOf((cursor) => this.list({ limit: 100, ...options, cursor }), options.cursor);
  }
}

/** Yields the items of all pages, beginning at a cursor. */
export async function* itemsOf<Item>(
  list: (cursor: string | undefined) => Promise<Page<Item>>,
  first: string | undefined,
): AsyncGenerator<Item, void, undefined> {
  for (let cursor: string | null | undefined = first; cursor !== null; ) {
    const page: Page<Item> = await list(cursor);
    yield* page.items;
    cursor = page.nextCursor;
  }
}

export class Generations extends Resources<ListedGeneration> {
  get(id: string, { signal }: CallOptions = {}): Promise<RetrievedGeneration> {
    return retrieve(this.http, id, signal);
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

export interface DeploymentScreenshotOptions extends TokenOptions {
  /** Width of the browser in CSS pixels. Default: 1280. */
  readonly width?: 390 | 1280 | undefined;
  /** One of the deployment's `versions`. Default: the live one. */
  readonly version?: string | undefined;
}

const deploymentPath = (id: string) => `/api/v1/deployments/${encodeURIComponent(id)}`;
const domainPath = (id: string, domain: string) => `${deploymentPath(id)}/domains/${encodeURIComponent(domain)}`;

export class Deployments extends Resources<ListedDeployment> {
  get(id: string, { signal, token }: DeploymentOptions = {}): Promise<DeploymentResource> {
    return this.http.json({ path: deploymentPath(id), headers: managing({ token }), signal });
  }

  /** Changes who may see a deployment, or when it expires. */
  change(id: string, { token, signal, ...body }: TokenOptions & SettingsRequest): Promise<DeploymentResource> {
    const call = { method: 'PATCH', path: deploymentPath(id), body } as const;
    return this.http.json({ ...call, headers: managing({ token }), signal });
  }

  /** Moves an anonymous deployment to the key or token of the client, where it stays. @param options its deployment token */
  claim(id: string, { token, signal }: TokenOptions = {}): Promise<DeploymentResource> {
    const call = { method: 'POST', path: `${deploymentPath(id)}/claim` } as const;
    return this.http.json({ ...call, headers: managing({ token }), signal });
  }

  /** Returns the files of the live version as a zip, those of private pages too. */
  archive(id: string, { token, signal }: TokenOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    const path = `${deploymentPath(id)}/archive`;
    return this.http.bytes({ path, headers: managing({ token }), signal }, 'zip');
  }

  /** Returns what a browser showed of a version, as PNG. @throws ApiError `not_found` if there is no picture */
  screenshot(
    id: string,
    { width, version, token, signal }: DeploymentScreenshotOptions = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    const call = { path: `${deploymentPath(id)}/screenshot`, query: { width, version }, signal };
    return this.http.bytes({ ...call, headers: managing({ token }) }, 'png');
  }

  /** Returns who opened the pages of a deployment, by day. */
  views(id: string, { from, to, signal, token }: ViewsQuery & DeploymentOptions = {}): Promise<ViewsResponse> {
    const path = `${deploymentPath(id)}/views`;
    return this.http.json({ path, query: { from, to }, headers: managing({ token }), signal });
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
  /**
   * Adds a domain of yours, or has its DNS records looked for at once. It serves the pages when its `state` is `active`. Requires
   * the key or token that the deployment belongs to.
   */
  addDomain(id: string, domain: string, { signal }: CallOptions = {}): Promise<DomainResource> {
    return this.http.json({ method: 'PUT', path: domainPath(id, domain), signal });
  }

  /** Removes a domain, which takes some minutes. */
  removeDomain(id: string, domain: string, { signal }: CallOptions = {}): Promise<DomainResource> {
    return this.http.json({ method: 'DELETE', path: domainPath(id, domain), signal });
  }
}
