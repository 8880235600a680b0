import { namesType } from '../../platform/accept-headers.ts';

/** A request to the data of a site. */
export interface DataRequest {
  readonly method: string;
  /** As it was sent, behind `.data/`; without the query. */
  readonly path: string;
  /** Where `.data/` is below the site: an empty string, or with a slash at its end. */
  readonly folder?: string;
  /** Not decoded, without the `?`. */
  readonly rawQuery: string;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/**
 * Reports if a request may change data: it comes from a page of the site, or from a program. Every browser of today sends
 * `Sec-Fetch-Site`; `Origin` can be `null` under the policy of a page, which also is what a sandboxed page of a stranger sends.
 * @param origin of the site
 */
export function isSameSite(headers: DataRequest['headers'], origin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  if (headers.origin !== undefined) return headers.origin === origin;
  return headers.cookie === undefined && !/mozilla|opera/i.test(headers['user-agent'] ?? '');
}

/** Reports if a browser shows the response in place of the page, as after a form without a script. */
export function isNavigation({ headers }: Pick<DataRequest, 'headers'>): boolean {
  const mode = headers['sec-fetch-mode'];
  return mode === undefined ? namesType(headers.accept, 'text/html') : mode === 'navigate';
}

/** Returns the media type in lower case, without parameters. */
export function mediaType(headers: DataRequest['headers']): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
