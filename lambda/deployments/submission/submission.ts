import type { BuildVariables } from '../../contract/builds.ts';
import type { DeployRequest } from '../../contract/deploy.ts';
import { checkTotalSize, totalSize } from '../../sites/accept-files.ts';
import { packSite, unpackSite } from '../../sites/archive.ts';
import { buildWarning } from '../../sites/build-warning.ts';
import { entryOf } from '../../sites/entry.ts';
import { mayBeHashedName } from '../../sites/hashed-name.ts';
import type { SiteFile } from '../../sites/site-file.ts';
import { siteTitle } from '../../sites/site-title.ts';
import { type Deployment, liveVersion, type Version } from '../../stored/deployment.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import { acceptSentFiles, hasContent, resolveFiles, type SentFile } from './known-files.ts';
import { type Source, sourceOf } from './source.ts';

/** The files of a deploy as an archive. */
export interface PackedSite {
  readonly archive: Uint8Array;
  readonly about: Omit<Version, 'version' | 'deployedAt'>;
  /** Whether a file that visitors see has a hashed name. */
  readonly hashedNames: boolean;
  /** What visitors see instead of the files in the archive, as `builtKey` has it. */
  readonly built?: Uint8Array;
}

/** The files of a deploy that are to be built before visitors see them. */
export interface PackedSource {
  readonly archive: Uint8Array;
  readonly source: Source;
}

/** How files become a site. */
export interface BuildOptions {
  /** False if files are published as they are, whatever they are. Default: true. */
  readonly build?: boolean | undefined;
  readonly env?: BuildVariables | undefined;
}

/** The checked request of a deploy. */
export interface Submission extends BuildOptions {
  readonly projectId: string | undefined;
  readonly files: readonly SentFile[];
  /** The files, unless some of them are to be taken from the live version. */
  readonly complete: PackedSite | PackedSource | undefined;
}

/**
 * Checks a deploy request that has files.
 * @throws ApiError invalid_request, payload_too_large, build_failed for a project that this service does not build
 */
export function acceptSubmission({
  files = [],
  projectId,
  ...options
}: Pick<DeployRequest, 'files' | 'projectId' | 'build' | 'env'>): Submission {
  return submissionOf(acceptSentFiles(files), projectId, options);
}

/**
 * Returns files for a deploy. Those that all have content are packed at once and become views of the archive, because
 * the garbage collector would copy 10 MB of strings that outlive the calls to AWS.
 * @throws ApiError build_failed for a project that this service does not build
 */
export function submissionOf(
  accepted: readonly SentFile[],
  projectId: string | undefined,
  { build, env }: BuildOptions = {},
): Submission {
  const options = { projectId, build, env };
  if (!accepted.every(hasContent)) return { ...options, files: accepted, complete: undefined };
  const complete = pack(accepted, options);
  const packed = unpackSite(complete.archive);
  const files = accepted.map((file) => {
    const content = packed.get(file.path);
    return content ? { ...file, content } : file;
  });
  return { ...options, files, complete };
}

/**
 * Returns the files as a package; those without content come from the live version's archive.
 * @param deployment the one that the files are deployed to; undefined if it is new
 * @throws ApiError unknown_files, payload_too_large for the total size, build_failed
 */
export async function packFiles(
  { files, complete, build, env }: Submission,
  deployment: Deployment | undefined,
  archives: ArchiveStore,
): Promise<PackedSite | PackedSource> {
  if (complete) return complete;
  const live = deployment && liveVersion(deployment);
  // Undefined too if concurrent deploys have deleted it.
  const archive = live && (await archives.get(deployment.id, live.version));
  const site = resolveFiles(files, archive ? unpackSite(archive).values() : []);
  checkTotalSize(site);
  return pack(site, { build, env });
}

function pack(site: readonly SiteFile[], { build, env }: BuildOptions): PackedSite | PackedSource {
  const source = build === false ? undefined : sourceOf(site, env);
  if (source) return { archive: packSite(source.files), source };
  const { hashedNames, ...seen } = aboutSite(site);
  const warning = buildWarning(site, seen.entry);
  const about = {
    ...seen,
    fileCount: site.length,
    bytes: totalSize(site),
    ...(warning === undefined ? {} : { warning }),
  };
  return { archive: packSite(site), about, hashedNames };
}

/** Returns what follows from the files that visitors see. */
export function aboutSite(site: readonly Pick<SiteFile, 'path' | 'content'>[]) {
  const entry = entryOf(site.map(({ path }) => path));
  const root = entry.slice(0, entry.lastIndexOf('/') + 1);
  const hashedNames = site.some(
    ({ path }) => path.startsWith(root) && mayBeHashedName(path.slice(root.length)),
  );
  return { entry, title: siteTitle(site, entry), hashedNames };
}
