import type { DataItem } from '../../contract/data.ts';
import { namesType } from '../../platform/accept-headers.ts';
import type { Fields, Item } from './store.ts';

/** A request to the data of a site. */
export interface DataRequest {
  readonly method: string;
  /** The path behind `.data/` as it was sent, without the query. */
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

export interface DataResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Why a request for data was refused, with the status of the response. */
export const STATUSES = {
  invalid: 400,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  full: 409,
  duplicate: 409,
  site_full: 409,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  idempotency_mismatch: 422,
  too_many: 429,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof STATUSES;

/** A refused request. */
export class DataProblem extends Error {
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    more: { readonly field?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.code = code;
    this.field = more.field;
    this.headers = more.headers ?? {};
  }
}

/** No copy may be kept, not even by CloudFront for an error of the origin (`NEVER_STALE`), and no other site may embed it. */
const PRIVATE = {
  'Cache-Control': 'private, no-store, stale-if-error=0',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** Returns a response that only this visitor may get. */
export function privately(response: DataResponse): DataResponse {
  return { ...response, headers: { ...response.headers, ...PRIVATE } };
}

export function jsonResponse(status: number, value: unknown, headers: DataResponse['headers'] = {}): DataResponse {
  const body = new TextEncoder().encode(JSON.stringify(value));
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body };
}

export function emptyResponse(status: number, headers: DataResponse['headers'] = {}): DataResponse {
  return { status, headers, body: new Uint8Array() };
}

/** Returns an item as the API has it, for one who may see it. @param visitor who asks, unless it is the owner */
export function presentItem(
  { id, fields, createdAt, updatedAt, author, shown }: Item,
  visitor?: string | undefined,
): DataItem & Fields {
  return {
    id,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    ...(author !== undefined && author === visitor && { mine: true }),
    ...(!shown && { waiting: true as const }),
    ...fields,
  };
}
