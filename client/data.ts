import { managing, type TokenOptions } from './deploy.ts';
import type { CallOptions, Http } from './http.ts';
import { itemsOf, type Page } from './resources.ts';
import type { ClearedCollection, CollectionList, DataItem, DataLink, DeletedItem } from './types.ts';

export interface DataOptions extends CallOptions, TokenOptions {}

export interface DataListOptions extends DataOptions {
  /** Items per page, 1 to 100. Default: 50. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface ApproveOptions extends DataOptions {
  /** `updatedAt` of the item as it was read: if it has changed since, it is not approved, with the error `conflict`. */
  readonly seen?: string | undefined;
}

const dataPath = (id: string, ...names: readonly string[]) =>
  ['/api/v1/deployments', id, 'data', ...names].map((name, i) => (i === 0 ? name : encodeURIComponent(name))).join('/');

/** What visitors of sites share, for the owners of the sites. Each call takes the id of the deployment, and its token if it has no key. */
export class Data {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /** Returns the collections of a site, with their rules and how much they have. */
  collections(id: string, { token, signal }: DataOptions = {}): Promise<CollectionList> {
    return this.#http.json({ path: dataPath(id), headers: managing({ token }), signal });
  }

  list(
    id: string,
    collection: string,
    { limit, cursor, token, signal }: DataListOptions = {},
  ): Promise<Page<DataItem>> {
    const path = dataPath(id, collection);
    return this.#http.json({ path, query: { limit, cursor }, headers: managing({ token }), signal });
  }

  /** Yields all items, and requests each page when it is needed. */
  all(id: string, collection: string, options: DataListOptions = {}): AsyncGenerator<DataItem> {
    return itemsOf((cursor) => this.list(id, collection, { limit: 100, ...options, cursor }), options.cursor);
  }

  /** Returns the items as a table in UTF-8, in parts of at most 4 MB: each has a heading. Formulas are made harmless. */
  async *csv(id: string, collection: string, { token, signal }: DataOptions = {}): AsyncGenerator<string> {
    let cursor: string | undefined;
    do {
      const headers = { ...managing({ token }), accept: 'text/csv' };
      const call = { path: dataPath(id, collection), query: { cursor }, headers, signal };
      const part = await this.#http.text(call, 'csv');
      yield part.text;
      cursor = nextCursor(part.headers.get('Link'));
    } while (cursor !== undefined);
  }

  get(id: string, collection: string, item: string, { token, signal }: DataOptions = {}): Promise<DataItem> {
    return this.#http.json({ path: dataPath(id, collection, item), headers: managing({ token }), signal });
  }

  /** Shows an item to visitors that waits for approval. */
  approve(
    id: string,
    collection: string,
    item: string,
    { seen, token, signal }: ApproveOptions = {},
  ): Promise<DataItem> {
    const call = { method: 'POST', path: dataPath(id, collection, item, 'approve') } as const;
    return this.#http.json({ ...call, query: { seen }, headers: managing({ token }), signal });
  }

  delete(id: string, collection: string, item: string, { token, signal }: DataOptions = {}): Promise<DeletedItem> {
    const call = { method: 'DELETE', path: dataPath(id, collection, item) } as const;
    return this.#http.json({ ...call, headers: managing({ token }), signal });
  }

  /** Deletes items of a collection. Repeat it until `complete` is true. */
  clear(id: string, collection: string, { token, signal }: DataOptions = {}): Promise<ClearedCollection> {
    const call = { method: 'DELETE', path: dataPath(id, collection) } as const;
    return this.#http.json({ ...call, headers: managing({ token }), signal });
  }

  /** Creates a link that makes the browser that opens it the owner's for this site. */
  link(id: string, { token, signal }: DataOptions = {}): Promise<DataLink> {
    const call = { method: 'POST', path: dataPath(id, 'link') } as const;
    return this.#http.json({ ...call, headers: managing({ token }), signal });
  }
}

function nextCursor(link: string | null): string | undefined {
  const [, url] = /<([^>]+)>; rel="next"/.exec(link ?? '') ?? [];
  return url === undefined ? undefined : (new URL(url).searchParams.get('cursor') ?? undefined);
}
