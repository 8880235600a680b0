import type { Readable } from 'node:stream';
import { DEPLOYMENT_ID } from '../sites/deployment-id.ts';
import { isNotModified } from './conditions.ts';
import type { SiteResponse } from './site-response.ts';
import type { SiteStore } from './site-store.ts';
import { openVersion } from './visit.ts';

export interface Download extends Omit<SiteResponse, 'body'> {
  readonly body: Readable | Iterable<Uint8Array>;
}

export interface DownloadPorts {
  readonly store: Pick<SiteStore, 'find' | 'openArchive'>;
}

/** Returns the live version as a zip, with the files as they were deployed; without one, the page that a visit gets. */
export async function download(
  rawPath: string,
  ifNoneMatch: string | undefined,
  { store }: DownloadPorts,
): Promise<Download> {
  const id = /^\/d\/([^/]+)\.zip$/.exec(rawPath)?.[1] ?? '';
  const live = openVersion(DEPLOYMENT_ID.test(id) ? await store.find(id) : undefined);
  if ('status' in live) return { ...live, body: [live.body] };
  const etag = `"${live.version}"`;
  const headers = {
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="${id}.zip"`,
    // The edge revalidates every request, and mostly gets a 304.
    'Cache-Control': 'no-cache',
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
  };
  if (isNotModified({ ifNoneMatch }, etag)) return { status: 304, headers, body: [] };
  return { status: 200, headers, body: (await store.openArchive(id, live.version)) as Readable };
}
