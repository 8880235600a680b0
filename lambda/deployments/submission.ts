import { hash } from 'node:crypto';
import type { BuildVariables } from '../contract/builds.ts';
import type { DeployFile, DeployRequest } from '../contract/deploy.ts';
import { ApiError } from '../contract/errors.ts';
import { quote } from '../contract/messages.ts';
import { acceptFile, checkPaths, checkTotalSize, type SiteFile, totalSize } from '../sites/accept-files.ts';
import { packSite, unpackSite } from '../sites/archive.ts';
import { isForeign, isNoSource, isUnpublished } from '../sites/folder-rules.ts';
import { mayBeHashedName } from '../sites/hashed-name.ts';
import { entryOf } from '../sites/paths.ts';
import { ignoredRules } from '../sites/rules/ignored.ts';
import { projectKind } from '../sites/source/kind.ts';
import { atRoot } from '../sites/source/root.ts';
import { isEnvFile, readVariables, variablesProblem } from '../sites/source/variables.ts';
import { siteTitle } from '../sites/start-page.ts';
import { buildWarning, scriptWarning } from '../sites/unbuilt-page.ts';
import { type Deployment, liveVersion, type Version } from '../stored/deployment.ts';
import type { ArchiveStore } from './archive-store.ts';
import { refuseDataFiles } from './data/declared.ts';

/** The files of a deploy as an archive. */
export interface PackedSite {
  readonly archive: Uint8Array;
  readonly about: Omit<Version, 'version' | 'deployedAt'>;
  /** Whether a file that visitors see has a hashed name. */
  readonly hashedNames: boolean;
  /** The built site, which visitors see instead of the files in the archive, as `builtKey` has it. */
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
  /** Paths of the request that are part of no project, such as those of a repository. */
  readonly leftOut: readonly string[];
  /** The files, unless some of them are to be taken from the live version. */
  readonly complete: PackedSite | PackedSource | undefined;
}

/**
 * Checks a deploy request that has files. Those that are part of no project are left out, whatever their paths.
 * @throws ApiError invalid_request, payload_too_large, build_failed for a project that this service does not build
 */
export function acceptSubmission({
  files = [],
  projectId,
  ...options
}: Pick<DeployRequest, 'files' | 'projectId' | 'build' | 'env'>): Submission {
  const [kept, leftOut] = partition(files, ({ path }) => !isForeign(path));
  if (files.length > 0) requireFiles(kept, leftOut);
  return submissionOf(acceptSentFiles(kept), projectId, options, leftOut);
}

function partition<T extends { readonly path: string }>(
  files: readonly T[],
  isKept: (file: T) => boolean,
): [kept: T[], leftOut: string[]] {
  return [files.filter(isKept), files.filter((file) => !isKept(file)).map(({ path }) => path)];
}

/** @throws ApiError invalid_request if all files are left out */
function requireFiles(kept: readonly unknown[], leftOut: readonly string[]): void {
  if (kept.length === 0)
    throw new ApiError('invalid_request', `No files are left to deploy. ${leftOutWarnings(leftOut)[0]}`);
}

/**
 * Returns files for a deploy. Those that all have content are packed at once and become views of the archive, because
 * the garbage collector would copy 10 MB of strings that outlive the calls to AWS.
 * @param leftOut paths of the request that are part of no project
 * @throws ApiError invalid_request if none can be published, build_failed for a project that this service does not build
 */
export function submissionOf(
  accepted: readonly SentFile[],
  projectId: string | undefined,
  { build, env }: BuildOptions = {},
  leftOut: readonly string[] = [],
): Submission {
  refuseDataFiles(accepted.map(({ path }) => path));
  const options = { projectId, build, env, leftOut };
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
  { files, complete, build, env, leftOut }: Submission,
  deployment: Deployment | undefined,
  archives: ArchiveStore,
): Promise<PackedSite | PackedSource> {
  if (complete) return complete;
  const live = deployment && liveVersion(deployment);
  // Undefined too if concurrent deploys have deleted it.
  const archive = live && (await archives.get(deployment.id, live.version));
  const site = resolveFiles(files, archive ? unpackSite(archive).values() : []);
  checkTotalSize(site);
  return pack(site, { build, env, leftOut });
}

function pack(
  files: readonly SiteFile[],
  { build, env, leftOut }: BuildOptions & Pick<Submission, 'leftOut'>,
): PackedSite | PackedSource {
  const source = build === false ? undefined : sourceOf(files, env);
  if (source)
    return { archive: packSite(source.files), source: { ...source, leftOut: [...leftOut, ...source.leftOut] } };
  const [site, hidden] = partition(files, ({ path }) => !isUnpublished(path));
  requireFiles(site, hidden);
  const { hashedNames, ...seen } = aboutSite(site);
  const unbuilt = buildWarning(site, seen.entry) ?? scriptWarning(site, seen.entry);
  const warning = warningOf([
    ...leftOutWarnings([...leftOut, ...hidden]),
    ...(unbuilt === undefined ? [] : [unbuilt]),
    ...ignoredRules(site, seen.entry),
  ]);
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
  const hashedNames = site.some(({ path }) => path.startsWith(root) && mayBeHashedName(path.slice(root.length)));
  return { entry, title: siteTitle(site, entry), hashedNames };
}

/** A file that the live version is expected to have, at any path. */
interface KnownFile {
  readonly path: string;
  /** SHA-256 of its bytes, in lower-case hexadecimal digits. */
  readonly sha256: string;
}

/** A file of a deploy request. */
type SentFile = SiteFile | KnownFile;

function hasContent(file: SentFile): file is SiteFile {
  return 'content' in file;
}

/**
 * Returns the files of a deploy request, with the content of those that have one decoded.
 * @throws ApiError invalid_request for a path or an encoding, payload_too_large for a size
 */
function acceptSentFiles(files: readonly DeployFile[]): SentFile[] {
  checkPaths(files.map(({ path }) => path));
  const accepted = files.map(({ content = '', sha256, ...file }) =>
    sha256 === undefined ? acceptFile({ ...file, content }) : { path: file.path, sha256 },
  );
  checkTotalSize(accepted.filter(hasContent));
  return accepted;
}

/**
 * Returns a digest that is equal for requests that deploy the same files to the same project in the same way, however
 * they are sent.
 */
export function fingerprint({
  files,
  projectId,
  build,
  env,
}: {
  readonly files: readonly SentFile[];
  readonly projectId?: string | undefined;
  readonly build?: boolean | undefined;
  readonly env?: BuildVariables | undefined;
}): string {
  const hashes = files.map((file) => [file.path, hasContent(file) ? hash('sha256', file.content) : file.sha256]);
  const way = build === undefined && env === undefined ? [] : [build ?? null, env ?? null];
  return hash('sha256', JSON.stringify([projectId ?? null, hashes, ...way]), 'base64url');
}

/**
 * Returns the files with their content.
 * @param live the contents of the live version's files
 * @throws ApiError unknown_files. It depends on the request alone, so that it is the same for a file of another version,
 *   another deployment, or none
 */
function resolveFiles(files: readonly SentFile[], live: Iterable<Uint8Array>): SiteFile[] {
  const contents = new Map(Array.from(live, (content) => [hash('sha256', content), content]));
  const unknown: KnownFile[] = [];
  const resolved = files.flatMap((file): SiteFile[] => {
    if (hasContent(file)) return [file];
    const content = contents.get(file.sha256);
    if (content) return [{ path: file.path, content, size: content.length }];
    unknown.push(file);
    return [];
  });
  if (unknown.length > 0) throw unknownFiles(unknown);
  return resolved;
}

function unknownFiles(files: readonly KnownFile[]): ApiError {
  const first = quote(files[0]?.path);
  const others = files.length === 1 ? '' : ` and ${files.length - 1} more`;
  return new ApiError(
    'unknown_files',
    `The live version has no file with the sha256 of ${first}${others}: send the files in unknown with their content. Nothing was changed`,
    { body: { unknown: [...new Set(files.map(({ sha256 }) => sha256))] } },
  );
}

/** The source of a project. */
interface Source {
  /** Without `.env` files, and those of `leftOut`. */
  readonly files: readonly SiteFile[];
  /** Paths of files that are no part of it. */
  readonly leftOut: readonly string[];
  /** Variables of the request and of `.env` files; undefined if it has neither. */
  readonly variables: BuildVariables | undefined;
  /** The folder with its page. */
  readonly root: string;
}

/**
 * Returns the source that files are, or undefined if browsers can run them as they are.
 * @param env variables of the request, which take precedence over those of `.env` files
 * @throws ApiError build_failed for a project that this service does not build, and for too many variables
 */
export function sourceOf(site: readonly SiteFile[], env: BuildVariables | undefined): Source | undefined {
  const project = projectKind(new Map(site.map(({ path, content }) => [path, content])));
  if (project.kind === 'site') return undefined;
  if (project.kind === 'refused') throw buildFailed(project.reason);
  const envFiles = new Map<string, Uint8Array>();
  for (const { path, content } of site) if (isEnvFile(path)) envFiles.set(path, Buffer.from(content));
  const isSent = envFiles.size > 0 || env !== undefined;
  const variables = readVariables(atRoot(envFiles, project.root), env ?? {});
  const problem = variablesProblem(variables);
  if (problem !== undefined) throw buildFailed(problem);
  const [files, hidden] = partition(
    site.filter(({ path }) => !envFiles.has(path)),
    ({ path }) => !isNoSource(path),
  );
  return {
    files,
    leftOut: hidden,
    variables: isSent ? Object.fromEntries(variables) : undefined,
    root: project.root,
  };
}

function buildFailed(message: string): ApiError {
  return new ApiError('build_failed', message, { body: { problems: [{ message }] } });
}

/** The characters of a warning in a header and in the item of the deployment, which visits read. */
const WARNING_CHARACTERS = 400;

/** Returns the first warnings as one line of ASCII, which a header can have, or undefined without warnings. */
export function warningOf(warnings: readonly string[]): string | undefined {
  if (warnings.length === 0) return undefined;
  const text = warnings.slice(0, 3).join('. ').replace(NOT_ASCII, '?');
  const more = warnings.length > 3 ? `. And ${warnings.length - 3} more` : '';
  return text.length > WARNING_CHARACTERS ? `${text.slice(0, WARNING_CHARACTERS)}...` : text + more;
}

/** Returns what is known of a version with warnings before those that it has. */
export function withWarnings<About extends { readonly warning?: string }>(
  about: About,
  added: readonly string[],
): About {
  const warning = warningOf([...added, ...(about.warning === undefined ? [] : [about.warning])]);
  return warning === undefined ? about : { ...about, warning };
}

const NOT_ASCII = /[^\x20-\x7e]+/g;

/** The longest path that a warning shows. */
const PATH_CHARACTERS = 60;

/** Returns the warning that names the files of a deploy that visitors do not see; none without such files. */
export function leftOutWarnings(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const named = paths.slice(0, 3).map(shortened);
  const others = paths.length > 3 ? ` and ${paths.length - 3} more` : '';
  return [`Left out ${named.join(', ')}${others}: hidden files, repositories and node_modules are not published`];
}

function shortened(path: string): string {
  const text = path.replace(NOT_ASCII, '?');
  return text.length > PATH_CHARACTERS ? `${text.slice(0, PATH_CHARACTERS)}...` : text;
}
