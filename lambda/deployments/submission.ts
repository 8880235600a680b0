import type { DeployRequest } from '../contract/deploy.ts';
import { checkTotalSize, totalSize } from '../sites/accept-files.ts';
import { packSite, unpackSite } from '../sites/archive.ts';
import { buildWarning } from '../sites/build-warning.ts';
import { entryOf } from '../sites/entry.ts';
import { mayBeHashedName } from '../sites/hashed-name.ts';
import type { SiteFile } from '../sites/site-file.ts';
import { siteTitle } from '../sites/site-title.ts';
import { type Deployment, liveVersion, type Version } from '../stored/deployment.ts';
import type { ArchiveStore } from './archive-store.ts';
import { acceptSentFiles, hasContent, resolveFiles, type SentFile } from './known-files.ts';

/** The files of a deploy as an archive. */
export interface PackedSite {
  readonly archive: Uint8Array;
  readonly about: Omit<Version, 'version' | 'deployedAt'>;
  /** Whether a file has a hashed name. */
  readonly hashedNames: boolean;
}

/** The checked request of a deploy. */
export interface Submission {
  readonly projectId: string | undefined;
  readonly files: readonly SentFile[];
  /** The files, unless some of them are to be taken from the live version. */
  readonly complete: PackedSite | undefined;
}

/**
 * Checks a deploy request that has files.
 * @throws ApiError invalid_request, payload_too_large
 */
export function acceptSubmission({
  files = [],
  projectId,
}: Pick<DeployRequest, 'files' | 'projectId'>): Submission {
  return submissionOf(acceptSentFiles(files), projectId);
}

/**
 * Returns files for a deploy. Those that all have content are packed at once and become views of the archive, because
 * the garbage collector would copy 10 MB of strings that outlive the calls to AWS.
 */
export function submissionOf(accepted: readonly SentFile[], projectId: string | undefined): Submission {
  if (!accepted.every(hasContent)) return { projectId, files: accepted, complete: undefined };
  const complete = pack(accepted);
  const entries = [...unpackSite(complete.archive)];
  const files = entries.map(([path, content]) => ({ path, content, size: content.length }));
  return { projectId, files, complete };
}

/**
 * Returns the files as a package; those without content come from the live version's archive.
 * @param deployment the one that the files are deployed to; undefined if it is new
 * @throws ApiError unknown_files, or payload_too_large for the total size
 */
export async function packFiles(
  { files, complete }: Submission,
  deployment: Deployment | undefined,
  archives: ArchiveStore,
): Promise<PackedSite> {
  if (complete) return complete;
  const live = deployment && liveVersion(deployment);
  // Undefined too if concurrent deploys have deleted it.
  const archive = live && (await archives.get(deployment.id, live.version));
  const site = resolveFiles(files, archive ? unpackSite(archive).values() : []);
  checkTotalSize(site);
  return pack(site);
}

function pack(site: readonly SiteFile[]): PackedSite {
  const entry = entryOf(site.map(({ path }) => path));
  const warning = buildWarning(site, entry);
  const about = {
    entry,
    title: siteTitle(site, entry),
    fileCount: site.length,
    bytes: totalSize(site),
    ...(warning === undefined ? {} : { warning }),
  };
  const root = entry.slice(0, entry.lastIndexOf('/') + 1);
  const hashedNames = site.some(
    ({ path }) => path.startsWith(root) && mayBeHashedName(path.slice(root.length)),
  );
  return { archive: packSite(site), about, hashedNames };
}
