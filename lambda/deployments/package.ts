import { packSite, unpackSite } from '../sites/archive.ts';
import { buildWarning } from '../sites/build-warning.ts';
import { type Deployment, liveVersion, type Version } from '../sites/deployment.ts';
import { entryOf, siteTitle } from '../sites/entry.ts';
import type { ArchiveStore } from './archive-store.ts';
import { checkTotalSize, totalSize } from './files.ts';
import { hasContent, resolveFiles, type SentFile } from './known-files.ts';

/** The files of a deploy as an archive. */
export interface Package {
  readonly archive: Uint8Array;
  readonly about: Omit<Version, 'version' | 'deployedAt'>;
}

/**
 * Packs files. Those without content come from the live version's archive, which is read only if there are any.
 * @param deployment the one that the files are deployed to; undefined if it is new
 * @throws ApiError unknown_files, or payload_too_large for the total size
 */
export async function packFiles(
  files: readonly SentFile[],
  deployment: Deployment | undefined,
  archives: ArchiveStore,
): Promise<Package> {
  const site = files.every(hasContent) ? files : resolveFiles(files, await liveFiles(deployment, archives));
  checkTotalSize(site);
  const entry = entryOf(site.map(({ path }) => path));
  const warning = buildWarning(site, entry);
  const about = {
    entry,
    title: siteTitle(site, entry),
    fileCount: site.length,
    bytes: totalSize(site),
    ...(warning === undefined ? {} : { warning }),
  };
  return { archive: packSite(site), about };
}

/** Returns the contents of the live version's files: none if there is no live version, or concurrent deploys deleted it. */
async function liveFiles(
  deployment: Deployment | undefined,
  archives: ArchiveStore,
): Promise<Iterable<Uint8Array>> {
  const live = deployment && liveVersion(deployment);
  const archive = live && (await archives.get(deployment.id, live.version));
  return archive ? unpackSite(archive).values() : [];
}
