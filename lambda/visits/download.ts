import type { Readable } from 'node:stream';
import type { Tally } from '../access/shared-counter.ts';
import { limitKey, VIEWER_ADDRESS_HEADER } from '../access/viewer-address.ts';
import type { Clock } from '../platform/clock.ts';
import { errorResponse } from '../sites/serving/notice-pages.ts';
import { NEVER_STALE, type SiteResponse } from '../sites/serving/respond.ts';
import { DEPLOYMENT_ID } from '../stored/deployment.ts';
import type { GateBounds } from '../stored/held.ts';
import { openVersion, privateFileResponse } from '../stored/open-version.ts';
import type { SiteStore } from './site-store.ts';

export interface Download extends Omit<SiteResponse, 'body'> {
  readonly body: Readable | Iterable<Uint8Array>;
}

/** A request for a zip, with names of headers in lower case. */
interface DownloadRequest {
  readonly rawPath: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** The store of a stage, and its limit of zips. */
interface DownloadStage {
  readonly store: Pick<SiteStore, 'find' | 'openArchive'>;
  /** Counts a zip of an address. */
  readonly count: (address: string) => Promise<Tally>;
  readonly clock: Clock;
  /** Undefined if the stage has no gate. */
  readonly bounds?: GateBounds | undefined;
}

/**
 * Returns the live version as a zip, with the files as they were deployed; without one, the page that a visit gets. Every
 * response has a body, also one to a conditional request: Lambda sends a stream's status with its first byte.
 */
export async function download(
  { rawPath, headers: sent }: DownloadRequest,
  { store, count, clock, bounds }: DownloadStage,
): Promise<Download> {
  // Only the distribution may call the function, and its CloudFront function sets the header.
  const { allowed, resetAt } = await count(limitKey(sent[VIEWER_ADDRESS_HEADER] ?? ''));
  if (!allowed) return tooManyZips(Math.ceil((resetAt - clock()) / 1000));
  const id = /^\/d\/([^/]+)\.zip$/.exec(rawPath)?.[1] ?? '';
  const deployment = DEPLOYMENT_ID.test(id) ? await store.find(id) : undefined;
  const live = deployment?.access ? privateFileResponse('zip', 'archive', id) : openVersion(deployment, bounds);
  if ('status' in live) return { ...live, body: [live.body] };
  const headers = {
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="${id}.zip"`,
    // No copy outlives the deployment, and none is served instead of an error (RFC 5861, 4).
    'Cache-Control': NEVER_STALE,
    ETag: `"${live.version}"`,
    'X-Content-Type-Options': 'nosniff',
  };
  return { status: 200, headers, body: (await store.openArchive(id, live.version)) as Readable };
}

function tooManyZips(seconds: number): Download {
  const message = `Too many zip files were downloaded from your address. Try again in ${seconds} seconds.`;
  const headers = { 'Retry-After': String(seconds) };
  const { body, ...rest } = errorResponse(429, 'Too many downloads', message, headers);
  return { ...rest, body: [body] };
}
