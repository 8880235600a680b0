import type { Readable } from 'node:stream';
import { DEPLOYMENT_ID } from '../stored/deployment-id.ts';
import type { SiteResponse } from './site-response.ts';
import type { SiteStore } from './site-store.ts';
import { openVersion } from './visit.ts';

export interface Download extends Omit<SiteResponse, 'body'> {
  readonly body: Readable | Iterable<Uint8Array>;
}

export interface DownloadPorts {
  readonly store: Pick<SiteStore, 'find' | 'openArchive'>;
}

/**
 * Returns the live version as a zip, with the files as they were deployed; without one, the page that a visit gets. Every
 * response has a body, also one to a conditional request: Lambda sends a stream's status with its first byte.
 */
export async function download(rawPath: string, { store }: DownloadPorts): Promise<Download> {
  const id = /^\/d\/([^/]+)\.zip$/.exec(rawPath)?.[1] ?? '';
  const live = openVersion(DEPLOYMENT_ID.test(id) ? await store.find(id) : undefined);
  if ('status' in live) return { ...live, body: [live.body] };
  const headers = {
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="${id}.zip"`,
    // No copy outlives the deployment, and none is served instead of an error (RFC 5861, 4).
    'Cache-Control': 'no-store, stale-if-error=0',
    ETag: `"${live.version}"`,
    'X-Content-Type-Options': 'nosniff',
  };
  return { status: 200, headers, body: (await store.openArchive(id, live.version)) as Readable };
}
