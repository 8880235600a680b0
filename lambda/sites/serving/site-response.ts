/** The response to a visit. */
export interface SiteResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Absent if nothing of a site was served: a redirect, or a notice in its place. */
  readonly served?: Served;
}

/** What of a site was served. */
export interface Served {
  /** The path of the request, decoded, relative to the site. */
  readonly path: string;
  /** Whether the path names a page of the site: otherwise a fallback responded, as it does for any path. */
  readonly isFile: boolean;
}
