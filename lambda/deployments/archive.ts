import { unzipSync, zipSync } from 'fflate';
import type { SiteFile } from './files.ts';

/** Any date in zip's range would do; one and the same makes equal sites equal archives. */
const MTIME = new Date(2026, 0, 1);

/**
 * One version of a site as a zip. The entries are stored, not deflated: text is compressed on its way to the
 * visitor anyway, and a deploy costs no more than its bytes.
 */
export function packSite(files: readonly SiteFile[]): Uint8Array {
  return zipSync(Object.fromEntries(files.map(({ path, bytes }) => [path, bytes])), {
    level: 0,
    mtime: MTIME,
  });
}

/** The files of a version by path. */
export function unpackSite(archive: Uint8Array): Map<string, Uint8Array> {
  return new Map(Object.entries(unzipSync(archive)));
}
